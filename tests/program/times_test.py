#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: times_test.py PROGRAM: a part of a film, with its sound and subtitles."""

import json
import os
import re
import unittest

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from pipelines import launch  # noqa: E402
from program_case import ProgramCase, main, samples  # noqa: E402

RATE = 10
SECONDS = 8
FEW = ("--size", "4x3")
SUBTITLES = "".join(f"{i}\n00:00:0{start},000 --> 00:00:0{end},000\n{text}\n\n" for i, (start, end, text) in
                    enumerate([(0, 1, "first"), (1, 3, "across"), (3, 4, "in"), (5, 6, "after")], 1))


def brightness(name):
    """The time and the brightness of each frame, 0 to 255."""
    return [(sample.start / Gst.SECOND, sample.data[0]) for sample in samples(
        f"filesrc location={name} ! decodebin name=in in. ! video/x-raw ! videoconvert ! videoscale ! "
        "video/x-raw,format=GRAY8,width=4,height=4 ! appsink name=out sync=false")]


class Times(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with open("texts.srt", "w", encoding="utf-8") as file:
            file.write(SUBTITLES)
        # Each frame has its own grey, only the first is a keyframe, and the sound is silent until 2 s.
        grey = " ".join(f"{i}" for i in range(RATE * SECONDS))
        assert grey
        launch(f"videotestsrc num-buffers={RATE * SECONDS} pattern=gradient ! "
               f"video/x-raw,width=64,height=48,framerate={RATE}/1 ! x264enc key-int-max=1000 ! "
               "tee name=t t. ! queue ! mkv. t. ! queue ! h264parse ! mp4. "
               "t. ! queue ! h264parse ! ts. t. ! queue ! h264parse config-interval=-1 ! "
               "video/x-h264,stream-format=byte-stream ! filesink location=bare.h264 "
               f"audiotestsrc num-buffers={SECONDS * 50} samplesperbuffer=882 wave=ticks tick-interval=1000000000 ! "
               "audio/x-raw,rate=44100 ! avenc_aac ! aacparse ! tee name=a "
               "a. ! queue ! mkv. a. ! queue ! mp4. a. ! queue ! ts. "
               "filesrc location=texts.srt ! subparse ! queue ! mkv. "
               "matroskamux name=mkv ! filesink location=film.mkv mp4mux name=mp4 ! filesink location=film.mp4 "
               "mpegtsmux name=ts ! filesink location=film.ts")

    def test_a_part(self):
        for source in ("film.mkv", "film.mp4", "film.ts"):
            print(source, brightness(source)[:3])


if __name__ == "__main__":
    main()
