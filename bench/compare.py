# SPDX-License-Identifier: LGPL-2.1-or-later
"""mosaictemporal and photomosaic-video side by side, on the same decoded frames, taking turns.

usage: compare.py RAW CLIP PHOTOS WIDTH HEIGHT SIDE [PAIRS]

RAW holds the frames of CLIP as packed BGR. Neither side decodes or encodes. Ours reads its frames
from RAW, through a pipeline; the other has them in memory. `gst-launch-1.0` must find our plugin.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "scripts"))
import figures  # noqa: E402


def lines_of(command, environment=None):
    """Yields the lines that a command prints; ends this program when the command fails."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
    yield from process.stdout
    errors = process.stderr.read().strip().splitlines()
    if process.wait():
        sys.exit(f"{command[0]} failed: {errors[0] if errors else 'no message'}")


def element(photos, side, cache):
    return ["mosaictemporal", f"tile-size={side}", "silent=false", f"tile-location={photos}",
            f"cache-location={cache}"]


def run_ours(raw, photos, width, height, side, cache):
    source = ["filesrc", f"location={raw}", f"blocksize={3 * width * height}", "!",
              "rawvideoparse", "format=bgr", f"width={width}", f"height={height}",
              "framerate=25/1"]
    messages = figures.read(lines_of(["gst-launch-1.0", "-m", *source, "!",
                                      *element(photos, side, cache), "!", "fakesink",
                                      "sync=false"]))
    return figures.summary(messages)


def load_ours(photos, width, height, side, cache):
    """Seconds from the element's message that loading starts to the one that it is complete."""
    start = None
    for line in lines_of(["gst-launch-1.0", "-m", "videotestsrc", "num-buffers=1", "!",
                          f"video/x-raw,width={width},height={height}", "!",
                          *element(photos, side, cache), "!", "fakesink"]):
        if "GstMessageProgress" in line:
            if "start" in line:
                start = time.perf_counter()
            elif "complete" in line and start is not None:
                return time.perf_counter() - start
    sys.exit("mosaictemporal never said that its pool is loaded")


def theirs(cache, *arguments):
    command = [sys.executable, str(HERE.parent / "scripts" / "in_venv.py"),
               str(HERE / "requirements.txt"), str(HERE / "peer.py"), *map(str, arguments)]
    return json.loads(list(lines_of(command, {"XDG_CACHE_HOME": cache}))[-1])


def row(title, ours, others, unit, digits=1):
    print(f"{title:<34}{ours:>12.{digits}f}{others:>12.{digits}f}  {unit}", flush=True)


def main():
    raw, clip, photos = sys.argv[1:4]
    width, height, side = map(int, sys.argv[4:7])
    pairs = int(sys.argv[7]) if len(sys.argv) > 7 else 3
    with tempfile.TemporaryDirectory() as ours_cache, tempfile.TemporaryDirectory() as their_cache:
        cold = (load_ours(photos, width, height, side, ours_cache),
                theirs(their_cache, "load", photos, side)["seconds"])
        cached = [(load_ours(photos, width, height, side, ours_cache),
                   theirs(their_cache, "load", photos, side)["seconds"]) for _ in range(pairs)]
        ours, others = [], []
        for pair in range(pairs):
            ours.append(run_ours(raw, photos, width, height, side, ours_cache))
            others.append(theirs(their_cache, "run", raw, clip, photos, width, height, side))
            print(f"pair {pair + 1} of {pairs}: {ours[-1]['fps']:.2f} and {others[-1]['fps']:.2f} "
                  f"frames/s", flush=True)

    def medians(name):
        return [statistics.median(r[name] for r in runs) for runs in (ours, others)]

    if ours[0]["frames"] != others[0]["frames"] or ours[0]["cells"] != others[0]["cells"]:
        sys.exit("the two did not do the same work: frames or cells differ")
    print(f"\n{ours[0]['frames']} frames of {width}x{height}, {ours[0]['cells']} cells; medians of "
          f"{pairs} runs each, in turns\n")
    print(f"{'':<34}{'mosaic-':>12}{'photomosaic-':>13}\n{'':<34}{'temporal':>12}{'video':>12}")
    row("frames after the first", *medians("fps"), "frames/s", 2)
    row("one frame, median", *medians("ms"), "ms")
    row("tiles that change", *medians("changed"), "% of cells a frame", 2)
    row("  without visible reason", *medians("unexplained"), "% of cells a frame", 2)
    row("loading the photos", *cold, "s", 3)
    row("  from the cache", *[statistics.median(c) for c in zip(*cached)], "s", 3)
    fps = medians("fps")
    ratios = sorted(a["fps"] / b["fps"] for a, b in zip(ours, others))
    print(f"\n{fps[0] / fps[1]:.1f} times as many frames a second "
          f"(pairs: {ratios[0]:.1f} to {ratios[-1]:.1f})")


if __name__ == "__main__":
    main()
