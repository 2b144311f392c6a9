#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The examples with mosaics as streams: a projector wall, and three receivers of one sender.

usage: streams_test.py FOLDER_OF_EXAMPLES PROGRAM
"""
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from pipelines import launch, make_clip, make_photos  # noqa: E402

FRAMES, WIDTH, HEIGHT = 40, 160, 120
RGB = "video/x-raw,format=RGB"


class Streams(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "photos").mkdir()
        make_photos(self.folder / "photos", 60)
        self.pack = self.folder / "photos.mospack"
        subprocess.run([PROGRAM, "pack", self.folder / "photos", "-o", self.pack], check=True,
                       capture_output=True, timeout=60)
        make_clip(self.folder / "clip.mp4", FRAMES, "ball")

    def run_example(self, name, *arguments):
        subprocess.run([sys.executable, EXAMPLES / name, *map(str, arguments)], check=True, timeout=120)

    def test_the_wall_shows_the_whole_picture(self):
        film, whole = self.folder / "film.mosaic", self.folder / "whole"
        launch(f"filesrc location={self.folder}/clip.mp4 ! decodebin ! videoconvert ! mosaictemporal "
               f"profile-name=plain tile-location={self.pack} ! application/x-mosaic ! filesink location={film}")
        launch(f"filesrc location={film} ! mosaicparse ! mosaicrender pack-location={self.pack} ! "
               f"{RGB},width={2 * WIDTH},height={2 * HEIGHT} ! filesink location={whole}")
        self.run_example("projector_wall.py", film, self.pack, f"{WIDTH}x{HEIGHT}",
                         f"capsfilter caps={RGB} ! filesink location={self.folder}/part{{}}")
        parts = [(self.folder / f"part{number}").read_bytes() for number in range(4)]
        picture, line = whole.read_bytes(), 3 * WIDTH
        self.assertEqual(len(picture), FRAMES * 4 * line * HEIGHT)
        for row in range(FRAMES * 2 * HEIGHT):
            frame, y = divmod(row, 2 * HEIGHT)
            below, y = divmod(y, HEIGHT)
            at = (frame * HEIGHT + y) * line
            shown = parts[2 * below][at:at + line] + parts[2 * below + 1][at:at + line]
            self.assertEqual(shown, picture[row * 2 * line:(row + 1) * 2 * line], row)

    def test_three_receivers_draw_at_their_sizes(self):
        self.run_example("stream_receivers.py", self.folder / "clip.mp4", self.pack, random.randrange(20000, 30000),
                         f"capsfilter caps={RGB} ! filesink location={self.folder}/received{{}}")
        for number, width in enumerate((320, 960, 1920)):
            frames, rest = divmod((self.folder / f"received{number}").stat().st_size, 3 * width * width * 3 // 4)
            self.assertEqual(rest, 0)
            self.assertGreater(frames, FRAMES // 2)
            self.assertLessEqual(frames, FRAMES)


if __name__ == "__main__":
    EXAMPLES, PROGRAM = pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)
    Gst.init(None)
    unittest.main(verbosity=2)
