#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: names_test.py PROGRAM: names of files that mean something to printf, to URIs or to a camera,
or nothing in UTF-8."""

import json
import os
import subprocess
import tempfile

from pipelines import launch, make_clip
from program_case import ProgramCase, main

FRAMES = 5


class Names(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        make_clip("clip.mp4", FRAMES)
        launch("videotestsrc num-buffers=1 ! video/x-raw,width=160,height=120 ! jpegenc ! "
               "filesink location=photo.jpg")

    def make_in(self, folder, source, name):
        """What is in a folder of that name after a mosaic was written there."""
        os.mkdir(folder)
        self.run_program(source, "--tiles", "photos", "--size", "8x6", "-o", f"{folder}/{name}")
        return sorted(os.listdir(folder))

    def test_percent_signs_mean_nothing(self):
        for number, name in enumerate(("%s%s%s%s%s%s.png", "%n.png", "sale 50% off.png", "%d-%d.png",
                                       "%5d.png", "%0999d.png", "%.png")):
            with self.subTest(name):
                self.assertEqual(self.make_in(f"picture{number}", "photo.jpg", name), [name])
        self.assertEqual(self.make_in("film", "clip.mp4", "%d of 50% off.mp4"), ["%d of 50% off.mp4"])

    def test_one_number_is_a_pattern(self):
        for folder, name, names in (("at 100%d", "50% off-%02d.png", "50% off-0{}.png"),
                                    ("plain", "%d.jpg", "{}.jpg"),
                                    ("others", "%%%s%003d.jpg", "%%%s00{}.jpg")):
            with self.subTest(name):
                self.assertEqual(self.make_in(folder, "clip.mp4", name),
                                 [names.format(number) for number in range(FRAMES)])

    def test_failure_keeps_the_file_of_a_film(self):
        with open("50% off.mp4", "wb") as file:
            file.write(b"precious")
        self.run_program("clip.mp4", "-o", "50% off.mp4", "--tiles", "nowhere", status=1)
        with open("50% off.mp4", "rb") as file:
            self.assertEqual(file.read(), b"precious")

    def test_a_file_that_exists_is_a_file(self):
        for name in ("Movie: part 1.mp4", "rtsp:clip.mp4", "camera"):
            with self.subTest(name):
                os.link("clip.mp4", name)
                self.assertEqual(self.mosaic_of("mosaic.mp4", name, "--size", "8x6")["frames"], FRAMES)
                os.remove(name)

    def test_a_file_below_dev_is_no_camera(self):
        if not os.access("/dev/shm", os.W_OK):
            self.skipTest("no /dev/shm")
        with tempfile.NamedTemporaryFile(dir="/dev/shm", suffix=".mp4") as copy, \
                open("clip.mp4", "rb") as clip:
            copy.write(clip.read())
            copy.flush()
            self.assertEqual(self.mosaic_of("shm.mp4", copy.name, "--size", "8x6")["frames"], FRAMES)

    def test_names_that_are_not_utf_8(self):
        os.mkdir(b"caf\xe9")
        for name in ("00.png", "01.png"):
            os.link(b"photos/" + name.encode(), b"caf\xe9/" + name.encode())
        os.link("clip.mp4", b"cl\xefp.mp4")
        for output in (b"caf\xe9/mosaic \xff.mp4", b"caf\xe9/\xff %d.png"):
            with self.subTest(output):
                done = subprocess.run([self.program, b"cl\xefp.mp4", "--tiles", b"caf\xe9", "-o", output,
                                       "--size", "4x3", "--json"], capture_output=True, timeout=240, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(json.loads(done.stdout)["frames"], FRAMES)
        names = os.listdir(b"caf\xe9")
        self.assertIn(b"mosaic \xff.mp4", names)
        self.assertIn(b"\xff 4.png", names)
        self.assertEqual(len(names), 2 + 1 + FRAMES)

    def test_names_that_gstreamer_would_read_otherwise(self):
        for name in ('"quoted"', "NULL", 'a \\"b'):
            with self.subTest(name):
                os.rename("photos", name)
                try:
                    self.run_program("photo.jpg", "--tiles", name, "-o", "read.png", "--size", "8x6")
                finally:
                    os.rename(name, "photos")

    def test_the_longest_names(self):
        for character in "a", "ä":
            name = character * (251 // len(character.encode()))
            with self.subTest(character):
                self.mosaic_of(name + ".mp4", "clip.mp4", "--size", "8x6")
                self.assertTrue(os.path.exists(name + ".mp4"))


if __name__ == "__main__":
    main()
