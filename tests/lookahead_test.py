# SPDX-License-Identifier: LGPL-2.1-or-later
"""With `lookahead` at most 0.9 times as many tiles change from frame to frame as without, in each profile
that assigns differently, on each clip of the demo.

MOSAIC_PHOTOS and MOSAIC_CLIPS are the demo's photos and the folder of its clips. Without them the test is
skipped: made clips and photos do not show the fault that it found, prices that suit no real photos."""
import concurrent.futures
import os
import re
import subprocess
import sys

SKIPPED = 77
MOST = 0.9
AHEAD = 12
PROFILES = ("plain", "photos", "vivid_b", "film", "faithful", "fast")
CLIPS = {"bigbuckbunny.mp4": (1280, 720), "bikes.mp4": (640, 360), "carphone_pristine.mp4": (352, 288)}


def changes(clip, size, profile, ahead):
    """How many cells of 20 pixels change their tile, in all frames but keyframes."""
    pipeline = (f"filesrc location={os.environ['MOSAIC_CLIPS']}/{clip} ! decodebin ! videoconvert ! videoscale ! "
                f"video/x-raw,format=I420,width={size[0]},height={size[1]} ! "
                f"mosaictemporal tile-location={os.environ['MOSAIC_PHOTOS']} tile-size=20 silent=false "
                f"profile-name={profile} lookahead={ahead} ! fakesink sync=false")
    run = subprocess.run(["gst-launch-1.0", "-m", *pipeline.split()], capture_output=True, text=True,
                         timeout=1200, check=True)
    frames = [line for line in run.stdout.splitlines() if "mosaictemporal-stats" in line]
    assert len(frames) > 100, f"{clip}: only {len(frames)} frames"
    return sum(int(re.search(r"changed=\(uint\)(\d+)", line)[1]) for line in frames
               if "keyframe=(boolean)true" not in line)


def compare(clip, profile):
    alone, ahead = (changes(clip, CLIPS[clip], profile, n) for n in (0, AHEAD))
    print(f"{clip}, {profile}: {alone} changes, with lookahead={AHEAD} {ahead}, {ahead / alone:.3f} times as many",
          flush=True)
    return ahead <= MOST * alone


def main():
    if not {"MOSAIC_PHOTOS", "MOSAIC_CLIPS"} <= os.environ.keys():
        print("skipped: without MOSAIC_PHOTOS and MOSAIC_CLIPS")
        return SKIPPED
    # Two at once: without a lookahead a frame is worked on by one thread most of the time.
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        held = list(pool.map(lambda case: compare(*case), [(c, p) for c in CLIPS for p in PROFILES]))
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
