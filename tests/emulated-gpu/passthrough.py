# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests GStreamer's cudaupload and cudadownload on the emulated GPU: visible bytes do not change.

LD_LIBRARY_PATH must name the emulated GPU's folder.
"""
import os
import subprocess
import sys
import tempfile

FRAMES = 5
SIZES = ((320, 240), (641, 359), (33, 17))
LEFT_BEHIND = ("contexts", "device_blocks", "pinned_blocks", "streams", "events", "pending",
               "abandoned", "mistakes")


def up(value, step):
    return (value + step - 1) // step * step


def planes(form, width, height):
    """Stride, rows, visible bytes per row and visible rows of each plane, as in GstVideoInfo."""
    half_width, half_height = up(width, 2) // 2, up(height, 2) // 2
    if form == "RGBA":
        return [(width * 4, height, width * 4, height)]
    if form == "BGR":
        return [(up(width * 3, 4), height, width * 3, height)]
    luma = (up(width, 4), up(height, 2), width, height)
    if form == "NV12":
        return [luma, (up(width, 4), half_height, half_width * 2, half_height)]
    chroma = (up(half_width, 4), half_height, half_width, half_height)
    return [luma, chroma, chroma]


def visible(path, form, width, height):
    """The bytes of a file of raw frames, without the padding."""
    with open(path, "rb") as file:
        data = file.read()
    layout = planes(form, width, height)
    frame = sum(stride * rows for stride, rows, _, _ in layout)
    if len(data) != FRAMES * frame:
        sys.exit(f"{form} {width}x{height}: {len(data)} bytes, not {FRAMES} frames of {frame}")
    shown, at = [], 0
    for stride, rows, wide, high in layout * FRAMES:
        shown += [data[at + y * stride:at + y * stride + wide] for y in range(high)]
        at += stride * rows
    return shown


def launch(pipeline, path, **environment):
    subprocess.run(["gst-launch-1.0", "-q", *pipeline.split(), "!", "filesink", "location=" + path],
                   check=True, timeout=60, env={**os.environ, **environment})


def summary(path):
    with open(path, encoding="ascii") as file:
        return {name: int(value) for name, value in (field.split("=") for field in
                                                     file.read().split())}


def check(form, width, height, folder):
    where = f"{form} {width}x{height}"
    plain, through, counts = (os.path.join(folder, name) for name in ("plain", "through", "counts"))
    source = (f"videotestsrc num-buffers={FRAMES} pattern=smpte75 ! "
              f"video/x-raw,format={form},width={width},height={height}")
    launch(source, plain)
    for mode in ("eager", "deferred"):
        launch(source + " ! cudaupload ! video/x-raw(memory:CUDAMemory) ! cudadownload"
               " ! video/x-raw", through, EMULATED_GPU_MODE=mode, EMULATED_GPU_SUMMARY=counts)
        if visible(plain, form, width, height) != visible(through, form, width, height):
            sys.exit(f"{where} {mode}: other bytes")
        found = summary(counts)
        os.remove(counts)
        left = {name: found[name] for name in LEFT_BEHIND if found[name]}
        if left:
            sys.exit(f"{where} {mode}: left behind: {left}")
        if not found["uploads"] or not found["downloads"]:
            sys.exit(f"{where} {mode}: the frames did not pass through the device")


def main():
    with tempfile.TemporaryDirectory() as folder:
        # A registry of its own: in others, nvcodec was scanned without the emulated GPU.
        os.environ["GST_REGISTRY"] = os.path.join(folder, "registry.bin")
        if subprocess.run(["gst-inspect-1.0", "--exists", "cudaupload"], check=False).returncode:
            sys.exit("nvcodec did not register cudaupload on the emulation")
        for form in ("NV12", "I420", "RGBA", "BGR"):
            for width, height in SIZES:
                check(form, width, height, folder)
        print(f"4 formats, {len(SIZES)} sizes, eager and deferred: equal")


main()
