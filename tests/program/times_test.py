#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: times_test.py PROGRAM: a part of a film, with its sound and subtitles."""

import json
import os
import re
import struct

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from pipelines import launch  # noqa: E402
from program_case import ProgramCase, main, samples  # noqa: E402

RATE = 10
SECONDS = 8
# The brightness of frames, with steps that are larger than what encoding changes.
DARKEST, STEP = 8, 3
SUBTITLES = "".join(f"{i}\n00:00:0{start},000 --> 00:00:0{end},000\n{text}\n\n" for i, (start, end, text) in
                    enumerate([(0, 1, "first"), (1, 3, "across"), (3, 4, "in"), (4, 7, "over"), (7, 8, "after")], 1))


def frames_of(name):
    """Each frame as its time in seconds and its number in the film, which is its brightness."""
    shown = samples(f"filesrc location={name} ! decodebin name=in in. ! video/x-raw ! videoconvert ! "
                    "video/x-raw,format=GRAY8 ! appsink name=out sync=false")
    return [(round(sample.start / Gst.SECOND, 2), round((sample.data[0] - DARKEST) / STEP)) for sample in shown]


def ticks_of(name):
    """When the sound ticks, in seconds."""
    ticks = []
    for sample in samples(f"filesrc location={name} ! decodebin name=in in. ! audio/x-raw ! audioconvert ! "
                          "audioresample ! audio/x-raw,format=S16LE,rate=8000,channels=1 ! appsink name=out sync=false"):
        for i, value in enumerate(memoryview(sample.data).cast("h")):
            time = sample.start / Gst.SECOND + i / 8000
            if abs(value) > 3000 and (not ticks or time > ticks[-1] + 0.5):
                ticks.append(time)
    return ticks


def texts_of(name):
    demuxer = "matroskademux" if name.endswith("mkv") else "qtdemux"
    found = samples(f"filesrc location={name} ! {demuxer} ! text/x-raw ! appsink name=out sync=false")
    return [(sample.data.decode().strip("\0"), round(sample.start / Gst.SECOND, 2), round(sample.end / Gst.SECOND, 2))
            for sample in found if sample.data.strip(b"\0")]


class Times(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with open("texts.srt", "w", encoding="utf-8") as file:
            file.write(SUBTITLES)
        with open("frames.raw", "wb") as file:
            for number in range(RATE * SECONDS):
                file.write(bytes([DARKEST + STEP * number]) * 64 * 48)
        # A short loud sound at the start of each second. (What audiotestsrc's ticks leave between them
        # is memory that nothing was written to.)
        with open("sound.raw", "wb") as file:
            for _ in range(SECONDS):
                for i in range(44100):
                    file.write(struct.pack("h", 20000 if i < 441 and i // 50 % 2 else 0))
        # Only the first frame is a keyframe, so that a seek ends far before where it should.
        launch(f"filesrc location=frames.raw ! rawvideoparse format=gray8 width=64 height=48 framerate={RATE}/1 ! "
               "videoconvert ! x264enc key-int-max=1000 qp-max=10 ! tee name=t t. ! queue ! mkv. "
               "t. ! queue ! h264parse ! mp4. t. ! queue ! h264parse ! ts. t. ! queue ! "
               "h264parse config-interval=-1 ! video/x-h264,stream-format=byte-stream ! filesink location=bare.h264 "
               "filesrc location=sound.raw ! rawaudioparse format=pcm pcm-format=s16le sample-rate=44100 "
               "num-channels=1 ! audioconvert ! avenc_aac ! aacparse ! tee name=a "
               "a. ! queue ! mkv. a. ! queue ! mp4. a. ! queue ! ts. "
               "filesrc location=texts.srt ! subparse ! queue ! mkv. "
               "matroskamux name=mkv ! filesink location=film.mkv mp4mux name=mp4 ! filesink location=film.mp4 "
               "mpegtsmux name=ts ! filesink location=film.ts")

    def part(self, source, name, *arguments):
        return json.loads(self.run_program(source, "-o", name, "--tiles", "photos", "--size", "4x3", "--mix", "0",
                                           "--json", *arguments).stdout)

    def test_a_part(self):
        """From 2.5 to 5 seconds."""
        for source, name in (("film.mkv", "part.mkv"), ("film.mp4", "sound.mp4"),
                             ("film.mp4", "part.webm"), ("film.ts", "ts.mkv"), ("bare.h264", "bare.mp4")):
            with self.subTest(f"{source} {name}"):
                stats = self.part(source, name, "--start", "0:02.5", "--end", "5")
                frames = frames_of(name)
                if source == "film.ts":
                    # Its times do not begin at 0, so the part begins within a frame.
                    self.assertIn(len(frames), (25, 26))
                    self.assertEqual([number for _, number in frames],
                                     list(range(frames[0][1], frames[0][1] + len(frames))))
                else:
                    self.assertEqual(frames, [(i / RATE, 25 + i) for i in range(25)])
                self.assertEqual(stats["frames"], len(frames))
                start = frames[1][1] / RATE - frames[1][0]
                if source == "bare.h264":
                    continue
                # The last packet of the sound may end a little later.
                ticks = [time for time in ticks_of(name) if time < 2.45]
                self.assertEqual(len(ticks), 2)
                for second, time in enumerate(ticks, 3):
                    self.assertAlmostEqual(time, second - start, delta=0.05)
                if source == "film.mkv":
                    self.assertEqual(texts_of(name), [("across", 0, 0.5), ("in", 0.5, 1.5), ("over", 1.5, 2.5)])

    def test_ways_of_writing_it(self):
        for arguments, frames in ((("--seconds", "1"), 10), (("--duration", "0:01"), 10), (("--end", "0:00:01.0"), 10),
                                  (("--start", "7.5"), 5), (("--start", "7", "--duration", "0.2"), 2),
                                  (("--start", "0:07", "--end", "60"), 10)):
            with self.subTest(arguments):
                self.assertEqual(self.part("film.mp4", "written.mp4", *arguments)["frames"], frames)

    def test_a_part_of_numbered_pictures(self):
        self.part("film.mp4", "picture-%02d.png")
        stats = self.part("picture-%02d.png", "pictures.mp4", "--frames", "--fps", "10", "--start", "2.5", "--end", "5")
        self.assertEqual(stats["frames"], 25)
        # Each change between video and pictures rounds colours, so the part is compared with the whole.
        self.part("picture-%02d.png", "all.mp4", "--frames", "--fps", "10")
        numbers = [number for _, number in frames_of("all.mp4")]
        self.assertEqual(len(numbers), RATE * SECONDS)
        self.assertGreater(len(set(numbers)), RATE * SECONDS / 2)
        self.assertEqual([number for _, number in frames_of("pictures.mp4")], numbers[25:50])

    def test_progress_of_the_part(self):
        shown = self.shown_in_terminal("film.mp4", "--start", "6", "-o", "progress.mp4", "--tile-size", "8",
                                       "--output-size", "1600x1200", "--n-threads", "1")
        percents = [int(percent) for percent in re.findall(rb"(\d+) %  \d+ frames", shown)]
        self.assertLess(percents[0], 50)
        self.assertGreater(percents[-1], 90)

    def test_complaints(self):
        for arguments, status, text in (
                (("--start", "x"), 2, "--start x: write seconds, like 30.5, or minutes and seconds, like 1:30"),
                (("--start", "1:60"), 2, "--start 1:60"), (("--end", "1.5:00"), 2, "--end 1.5:00"),
                (("--seconds", "-1"), 2, "--seconds -1"), (("--duration", "0"), 2, "longer than 0"),
                (("--start", "5", "--end", "4"), 2, "--end must be later than --start"),
                (("--end", "4", "--duration", "4"), 2, "only one of --end, --duration and --seconds"),
                (("--start", "9"), 1, "film.mp4 is 0:08 long: there is nothing after 0:09 (--start)")):
            with self.subTest(arguments):
                done = self.run_program("film.mp4", "-o", "wrong.mp4", *arguments, status=status)
                self.assertIn(text, done.stderr)
        self.assertIn("--start is for films", self.run_program("camera", "-o", "wrong.mp4", "--start", "1", status=2).stderr)


if __name__ == "__main__":
    main()
