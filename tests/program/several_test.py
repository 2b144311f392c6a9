#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: several_test.py PROGRAM: several inputs, an output folder, and all looks in one picture."""

import json
import os

from PIL import Image, ImageChops, ImageStat

from pipelines import launch, make_clip
from program_case import ProgramCase, main

FEW = ("--tiles", "photos", "--size", "4x3")


class Several(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        make_clip("clip.mp4", 3)
        os.link("clip.mp4", "clip.m4v")
        launch("videotestsrc num-buffers=1 pattern=ball ! video/x-raw,width=160,height=120 ! jpegenc ! "
               "filesink location=photo.jpg")
        with open("broken.mp4", "wb") as file:
            file.write(b"no film")

    def test_each_gets_its_name_in_the_folder(self):
        done = self.run_program("clip.mp4", "broken.mp4", "photo.jpg", *FEW, "-o", "new/folder/", "--json", status=1)
        self.assertEqual(sorted(os.listdir("new/folder")), ["clip.mp4", "photo.png"])
        said = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([(one["input"], one["output"], one["frames"]) for one in said],
                         [("clip.mp4", "new/folder/clip.mp4", 3), ("photo.jpg", "new/folder/photo.png", 1)])
        self.assertIn("mosaic-temporal: broken.mp4: ", done.stderr)

    def test_a_codec_is_for_the_films_among_them(self):
        self.run_program("photo.jpg", "clip.mp4", *FEW, "--codec", "hevc", "-o", "codec/")
        self.assertEqual(sorted(os.listdir("codec")), ["clip.mp4", "photo.png"])

    def test_one_input_and_a_folder(self):
        os.mkdir("one")
        self.run_program("photo.jpg", *FEW, "-o", "one")
        self.assertEqual(os.listdir("one"), ["photo.png"])

    def test_names_that_would_be_the_same(self):
        self.run_program("clip.mp4", "clip.m4v", *FEW, "-o", "both/")
        self.assertEqual(sorted(os.listdir("both")), ["clip.m4v.mp4", "clip.mp4.mp4"])
        done = self.run_program("clip.mp4", self.folder + "/clip.mp4", *FEW, "-o", "both/", status=2)
        self.assertIn("two inputs have the name clip.mp4", done.stderr)

    def test_what_was_made_is_not_made_again(self):
        def run():
            done = self.run_program("photo.jpg", "clip.mp4", *FEW, "-o", "again/", "--resume")
            return [name for name in ("photo.png", "clip.mp4") if f"again/{name} was made before" in done.stderr]

        self.assertEqual(run(), [])
        self.assertEqual(run(), ["photo.png", "clip.mp4"])
        os.remove("again/photo.png")
        self.assertEqual(run(), ["clip.mp4"])
        os.utime("again/clip.mp4", (1, 1))
        self.assertEqual(run(), ["photo.png"])

    def test_all_looks_in_one_picture(self):
        self.run_program("photo.jpg", "--tiles", "photos", "--size", "16x12", "--compare-looks", "-o", "looks.png")
        with Image.open("looks.png") as sheet, Image.open("photo.jpg") as photo:
            self.assertEqual(sheet.size, (4 * 160, 3 * 120))
            # Below the names of the looks.
            cells = [sheet.convert("RGB").crop((x, y + 60, x + 160, y + 120))
                     for y in (0, 120, 240) for x in (0, 160, 320, 480)]
            difference = ImageChops.difference(cells[0], photo.convert("RGB").crop((0, 60, 160, 120)))
            self.assertLess(max(ImageStat.Stat(difference).mean), 8)
        self.assertEqual(len({cell.tobytes() for cell in cells[:11]}), 11)
        self.run_program("clip.mp4", "--compare-looks", "--start", "0.04", "-o", "film.jpg", *FEW)
        with Image.open("film.jpg") as sheet:
            self.assertEqual(sheet.size, (4 * 160, 3 * 120))
        with open("photo.jpg", "rb") as file:
            before = file.read()
        done = self.run_program("photo.jpg", "--compare-looks", "-o", "./photo.jpg", *FEW, status=1)
        self.assertIn("is the input, which would be lost", done.stderr)
        with open("photo.jpg", "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertIn("one picture", self.run_program("clip.mp4", "--compare-looks", "-o", "looks.mp4", status=2).stderr)


if __name__ == "__main__":
    main()
