#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: whole_pipeline_test.py PROGRAM: mosaic-temporal on an emulated GPU that decodes and encodes.

filesrc ! qtdemux ! h264parse ! nvh264dec ! mosaictemporal ! nvh264enc ! h264parse ! mp4mux ! filesink
gives the picture that the CPU makes; so does a clip of HEVC, with h265parse ! nvh265dec.
"""

import json
import os
import subprocess
import sys
import tempfile

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

SKIPPED = 77
MOSAIC = ("mosaictemporal", "size=10x8", "lookahead=4")


def launch(*words):
    subprocess.run(["gst-launch-1.0", "-q", *words], check=True, timeout=240)


def pictures(file, codec, *after):
    """The decoded frames of a file."""
    with tempfile.NamedTemporaryFile() as out:
        launch("filesrc", f"location={file}", "!", "qtdemux", "!", codec + "parse", "!",
               "avdec_" + codec, *after, "!", "videoconvert", "!", "video/x-raw,format=I420", "!",
               "filesink", f"location={out.name}")
        return out.read()


def check(program, codec, encoder):
    clip, mosaic = codec + ".mp4", codec + "-mosaic.mp4"
    launch("videotestsrc", "num-buffers=30", "pattern=ball", "!",
           "video/x-raw,format=I420,width=320,height=256,framerate=25/1", "!", encoder, "!",
           codec + "parse", "!", "mp4mux", "!", "filesink", "location=" + clip)
    done = subprocess.run(
        [program, clip, "--preset", "vivid_b", "--size", "10x8", "--lookahead", "4", "--cq", "0", "--json", "-o", mosaic],
        capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    stats = json.loads(done.stdout)
    assert (stats["active_codec"], stats["device"], stats["encoder"], stats["frames"]) == (
        f"nv{codec}dec", "cuda", "nvh264enc", 30), stats
    expected = pictures(clip, codec, "!", *MOSAIC)
    assert len(expected) == 30 * 320 * 256 * 3 // 2
    assert pictures(mosaic, "h264") == expected, f"{codec}: not the CPU's picture"


def main():
    program = os.path.abspath(sys.argv[1])
    Gst.init(None)
    checked = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for codec, encoder in (("h264", "x264enc"), ("h265", "x265enc")):
            missing = [name for name in (f"nv{codec}dec", "avdec_" + codec, codec + "parse", encoder,
                                         "nvh264enc", "avdec_h264", "qtdemux", "mp4mux")
                       if not Gst.ElementFactory.find(name)]
            if missing:
                print(f"skipped {codec}: this GStreamer has no {', '.join(missing)}")
                continue
            check(program, codec, encoder)
            checked.append(codec)
    sys.exit(0 if checked else SKIPPED)


main()
