#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The rate of mosaics that are sent as streams of indices, beside H.264 and HEVC.

usage: stream.py PROGRAM CLIPS PHOTOS WORK

PROGRAM is mosaic-temporal, which makes the pack; CLIPS the folder with the demo's clips; WORK a
folder for files. Each clip is scaled to 1280x720 and divided into 48x27 cells. A mosaic is drawn,
and sent and received; the received picture is compared with the drawn one. Videos are encoded with
the least rate at which they are as near to the drawn picture in the mean; where the received picture
is equal, without loss.
"""
import pathlib
import re
import subprocess
import sys

from page import table

WIDTH, HEIGHT, FPS = 1280, 720, 25
FRAME = 3 * WIDTH * HEIGHT
LOOKS = {
    "plain": ["profile-name=plain"],
    "plain, fidelity 0.5": ["profile-name=plain", "fidelity=0.5"],
    "vivid_b": ["profile-name=vivid_b"],
    "faithful": ["profile-name=faithful"],
}
CLIPS = {
    "Big Buck Bunny": ("bigbuckbunny.mp4", 132),
    "bikes": ("bikes.mp4", 60),
    "carphone": ("carphone_pristine.mp4", 60),
}
# Of each codec: the options, and those that lose nothing.
CODECS = {
    "H.264": (["-c:v", "libx264", "-pix_fmt", "yuv444p"], ["-c:v", "libx264rgb", "-pix_fmt", "rgb24", "-qp", "0"]),
    "HEVC": (["-c:v", "libx265", "-pix_fmt", "yuv444p"], ["-c:v", "libx265", "-pix_fmt", "gbrp", "-x265-params",
                                                          "lossless=1"]),
}
RAW = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(FPS)]


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *map(str, arguments)], check=True)


def launch(*elements):
    subprocess.run(["gst-launch-1.0", "-q", *" ! ".join(elements).split(" ")], check=True)


def similarity(video, reference):
    """The structural similarity of luma with a raw video: of the worst frame, and the mean."""
    options = RAW if video.suffix == ".rgb" else []
    log = video.with_suffix(".ssim")
    ffmpeg(*options, "-i", video, *RAW, "-i", reference, "-lavfi",
           f"[0]format=yuv444p[a];[1]format=yuv444p[b];[a][b]ssim=stats_file={log}", "-f", "null", "-")
    values = [float(v) for v in re.findall(r"Y:([0-9.]+)", log.read_text())]
    return min(values), sum(values) / len(values)


def kilobits(file, frames):
    return file.stat().st_size * 8 / 1000 / (frames / FPS)


def encode(options, reference, work):
    video = work / "encoded.mkv"
    ffmpeg(*RAW, "-i", reference, "-preset", "medium", *options, video)
    return video


def rate_as_near(codec, mean, reference, frames, work):
    """The rate of a codec, in kbit/s, with the coarsest quality whose mean similarity is `mean`."""
    if mean >= 1:
        return kilobits(encode(CODECS[codec][1], reference, work), frames)
    options = CODECS[codec][0]
    low, high = 1, 51  # low is near enough
    while high - low > 1:
        crf = (low + high) // 2
        if similarity(encode([*options, "-crf", crf], reference, work), reference)[1] >= mean:
            low = crf
        else:
            high = crf
    return kilobits(encode([*options, "-crf", low], reference, work), frames)


def measure(look, raw, frames, pack, work, with_codecs):
    source = [f"filesrc location={raw} num-buffers={frames} blocksize={FRAME}",
              f"rawvideoparse format=rgb width={WIDTH} height={HEIGHT} framerate={FPS}/1",
              " ".join(["mosaictemporal", f"tile-location={pack}", "size=48x27", "max-solve-time=0", *look])]
    drawn, sent, received = work / "drawn.rgb", work / "sent.mosaic", work / "received.rgb"
    launch(*source, f"filesink location={drawn}")
    launch(*source, "application/x-mosaic", f"filesink location={sent}")
    launch(f"filesrc location={sent}", "mosaicparse", f"mosaicrender pack-location={pack}",
           "video/x-raw,format=RGB", f"filesink location={received}")
    if drawn.stat().st_size != frames * FRAME:
        sys.exit("not all frames were drawn")
    equal = drawn.read_bytes() == received.read_bytes()
    worst, mean = (1, 1) if equal else similarity(received, drawn)
    rates = [f"{rate_as_near(codec, mean, drawn, frames, work):,.0f}" if with_codecs else "-" for codec in CODECS]
    return [f"{kilobits(sent, frames):,.1f}", "equal" if equal else f"{worst:.4f}", "equal" if equal else f"{mean:.4f}",
            *rates]


def main():
    program, clips, photos, work = map(pathlib.Path, sys.argv[1:])
    pack = work / "photos.mospack"
    subprocess.run([program, "pack", photos, "-o", pack], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    rows = []
    for clip, (name, frames) in CLIPS.items():
        raw = work / "source.rgb"
        ffmpeg("-i", clips / name, "-frames:v", frames, "-vf", f"scale={WIDTH}:{HEIGHT}", "-f", "rawvideo", "-pix_fmt",
               "rgb24", raw)
        for look, properties in LOOKS.items():
            with_codecs = clip == "Big Buck Bunny"
            rows.append([f"{clip}, {look}", *measure(properties, raw, frames, pack, work, with_codecs)])
            print(rows[-1], file=sys.stderr)
    print(table(["mosaic", "kbit/s", "SSIM, worst frame", "mean", *(f"{codec}, kbit/s" for codec in CODECS)], rows))


if __name__ == "__main__":
    main()
