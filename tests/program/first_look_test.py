#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: first_look_test.py PROGRAM: the look and the number of cells that mosaic-temporal chooses where
its user does not."""

import re

from pipelines import launch
from program_case import ProgramCase, main


class FirstLook(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, size in ("film.mp4", (1280, 720)), ("small.mp4", (176, 144)):
            launch(f"videotestsrc num-buffers=2 ! video/x-raw,format=I420,width={size[0]},"
                   f"height={size[1]},framerate=25/1 ! x264enc ! mp4mux ! filesink location={name}")
        for name, size in ("portrait.jpg", (1280, 1498)), ("small.jpg", (320, 240)):
            launch(f"videotestsrc num-buffers=1 ! video/x-raw,width={size[0]},height={size[1]} ! "
                   f"jpegenc ! filesink location={name}")
        for name, text in (("look.toml", "profile_name = 'film'\n"), ("cells.toml", "size = '8x6'\n"),
                           ("other.toml", "beta = 0.2\n")):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)

    def chosen(self, *arguments):
        """The look and the size that the pipeline sets; None: it does not."""
        line = self.run_program(*arguments, "--dry-run").stdout
        return tuple((re.findall(rf" {name}=(\S+)", line) or [None])[0]
                     for name in ("profile-name", "size"))

    def test_depends_on_the_input(self):
        for arguments, cells in ((("film.mp4", "-o", "a.mp4"), "2304"),
                                 (("film.mp4", "-o", "a.mp4", "--output-size", "1600x900"), "2500"),
                                 (("film.mp4", "-o", "a.mp4", "--output-size", "3840x2160"), "3600"),
                                 (("camera", "--show", "--output-size", "3840x2160"), "2304"),
                                 (("portrait.jpg", "-o", "a.png"), "3328"),
                                 # A poster has more cells, not larger ones: 64 pixels a side ...
                                 (("portrait.jpg", "-o", "a.png", "--output-size", "3840x4494"), "4213"),
                                 # ... up to a number.
                                 (("portrait.jpg", "-o", "a.png", "--output-size", "7680x8988"), "8000"),
                                 # No cell is smaller than 8 pixels of the input.
                                 (("small.mp4", "-o", "a.mp4", "--output-size", "1760x1440"), "396"),
                                 (("small.jpg", "-o", "a.png", "--output-size", "6400x4800"), "1200")):
            with self.subTest(arguments):
                self.assertEqual(self.chosen(*arguments), ("faithful", cells))

    def test_what_the_user_says_holds(self):
        film = ("film.mp4", "-o", "a.mp4")
        for arguments, expected in (
                (("--preset", "film"), ("film", "2304")),
                (("--profile-name", "film"), ("film", "2304")),
                (("--size", "700"), ("faithful", "700")),
                (("--size", "40x30"), ("faithful", "40x30")),
                (("--tile-size", "24"), ("faithful", None))):
            with self.subTest(arguments):
                self.assertEqual(self.chosen(*film, *arguments), expected)

    def test_a_configuration_holds_where_it_says_something(self):
        for name, cells, look in (("look.toml", 2304, "film"), ("cells.toml", 48, "faithful"),
                                  ("other.toml", 2304, "faithful")):
            with self.subTest(name):
                done = self.run_program("film.mp4", "-o", "a.mp4", "--tiles", "photos", "--config", name)
                self.assertRegex(done.stderr,
                                 rf"2 frames of 1280x720, {cells} cells, \d+ tiles, look {look};")

    def test_says_what_was_chosen(self):
        for arguments, said in ((("small.mp4", "-o", "a.mp4"), "2 frames of 176x144, 396 cells"),
                                (("small.jpg", "-o", "a.png"), "a picture of 320x240, 1200 cells")):
            with self.subTest(arguments):
                done = self.run_program(*arguments, "--tiles", "photos")
                self.assertRegex(done.stderr, rf"{said}, \d+ tiles, look faithful;")
                self.assertNotIn("warning", done.stderr)

    def test_frames_are_as_large_as_the_first(self):
        launch("videotestsrc num-buffers=3 ! video/x-raw,width=160,height=120 ! pngenc ! "
               "multifilesink location=frame-%03d.png")
        for frames in ".", "frame-%03d.png":
            self.assertEqual(self.chosen(frames, "--frames", "-o", "a.mp4"), ("faithful", "300"))


if __name__ == "__main__":
    main()
