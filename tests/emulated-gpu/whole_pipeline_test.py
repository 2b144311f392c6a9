#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: whole_pipeline_test.py PROGRAM: mosaic-temporal on an emulated GPU that decodes and encodes.

filesrc ! qtdemux ! h264parse ! nvh264dec ! mosaictemporal ! nvh264enc ! h264parse ! mp4mux ! filesink
gives the picture that the CPU makes.
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


def pictures(file, *after):
    """The decoded frames of a file."""
    with tempfile.NamedTemporaryFile() as out:
        launch("filesrc", f"location={file}", "!", "qtdemux", "!", "h264parse", "!", "avdec_h264",
               *after, "!", "videoconvert", "!", "video/x-raw,format=I420", "!", "filesink",
               f"location={out.name}")
        return out.read()


def main():
    program = os.path.abspath(sys.argv[1])
    Gst.init(None)
    for name in ("nvh264dec", "nvh264enc", "avdec_h264", "x264enc", "qtdemux", "mp4mux"):
        if not Gst.ElementFactory.find(name):
            print(f"skipped: this GStreamer has no {name}")
            sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        launch("videotestsrc", "num-buffers=30", "pattern=ball", "!",
               "video/x-raw,format=I420,width=320,height=256,framerate=25/1", "!", "x264enc", "!",
               "mp4mux", "!", "filesink", "location=clip.mp4")
        done = subprocess.run(
            [program, "clip.mp4", "--size", "10x8", "--lookahead", "4", "--cq", "0", "--json", "-o",
             "mosaic.mp4"], capture_output=True, text=True, timeout=240, check=False)
        assert done.returncode == 0, done.stderr
        stats = json.loads(done.stdout)
        assert (stats["active_codec"], stats["device"], stats["encoder"], stats["frames"]) == (
            "nvh264dec", "cuda", "nvh264enc", 30), stats
        expected = pictures("clip.mp4", "!", *MOSAIC)
        assert len(expected) == 30 * 320 * 256 * 3 // 2
        assert pictures("mosaic.mp4") == expected, "not the CPU's picture"


main()
