#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: frames_test.py PROGRAM: folders of numbered pictures that become a film. What kinds of pictures
are read is in photos_test.py."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import time

from PIL import Image, ImageStat

from program_case import ProgramCase, main

COUNT = 12


def level(number):
    """The grey of a frame, by which it is known again."""
    return 10 + 20 * number


def level_of(path):
    with Image.open(path) as image:
        return ImageStat.Stat(image.convert("L")).mean[0]


class Frames(ProgramCase):
    def setUp(self):
        self.make_frames("frames")

    def tearDown(self):
        shutil.rmtree("frames")

    def make_frames(self, folder):
        os.mkdir(folder)
        for number in range(COUNT):
            Image.new("RGB", (64, 48), (level(number),) * 3).save(f"{folder}/f-{number:02d}.png")

    def film_of(self, *arguments, status=0):
        return self.run_program("frames", "--frames", "--tiles", "photos", "--mix", "0", "--json", *arguments,
                                status=status)

    def shown(self, *arguments):
        """The frames that a film consists of."""
        self.film_of("-o", "shown-%03d.png", *arguments)
        names = sorted(name for name in os.listdir() if name.startswith("shown-"))
        numbers = [(level_of(name) - 10) / 20 for name in names]
        for name in names:
            os.remove(name)
        self.assertEqual(numbers, [round(number) for number in numbers])
        return [round(number) for number in numbers]

    def test_every_frame_in_order(self):
        self.assertEqual(self.shown(), list(range(COUNT)))

    def test_a_part(self):
        self.assertEqual(self.shown("--fps", "10", "--start", "0.5", "--end", "0.8"), [5, 6, 7])

    def test_numbers_that_are_not_filled_with_zeros(self):
        for number in range(COUNT):
            os.rename(f"frames/f-{number:02d}.png", f"frames/f-{number}.png")
        self.assertEqual(self.shown(), list(range(COUNT)))

    def test_names_of_all_kinds(self):
        for name in ("50% off %d-", "it's \"one\" ", "a;b\\c ", "-"):
            with self.subTest(name):
                shutil.rmtree("frames")
                os.mkdir("frames")
                for number in range(3):
                    Image.new("RGB", (64, 48), (level(number),) * 3).save(f"frames/{name}{number}.png")
                self.assertEqual(self.shown(), [0, 1, 2])

    def test_dry_run_prints_a_command_that_does_the_same(self):
        command = self.film_of("-o", "dry-%d.png", "--dry-run").stdout
        subprocess.run(command, shell=True, check=True, timeout=60, stdout=subprocess.DEVNULL)
        self.assertEqual([level_of(f"dry-{number}.png") for number in range(COUNT)],
                         [level(number) for number in range(COUNT)])

    def test_what_cannot_be_read_ends_the_film_and_says_where(self):
        for name, spoil, reason in (
                ("cut off", lambda path: os.truncate(path, os.path.getsize(path) - 30), "ends too early"),
                ("no picture", lambda path: pathlib.Path(path).write_text("text", encoding="utf-8"),
                 "it is not a JPEG, PNG"),
                ("another size", Image.new("RGB", (48, 48)).save,
                 "has 48x48 pixels, and the pictures before it 64x48")):
            with self.subTest(name):
                shutil.rmtree("frames")
                self.make_frames("frames")
                spoil("frames/f-07.png")
                done = self.film_of("-o", "film.mp4", status=3)
                self.assertIn("frames/f-07.png", done.stderr)
                self.assertIn(reason, done.stderr)
                self.assertEqual(json.loads(done.stdout)["frames"], 7)

    def test_the_first_one_that_cannot_be_read(self):
        os.truncate("frames/f-00.png", 50)
        done = self.film_of("-o", "none.mp4", status=1)
        self.assertIn("frames/f-00.png", done.stderr)
        self.assertFalse(os.path.exists("none.mp4"))

    def test_no_process_is_left(self):
        """The one that reads the frames ends with the program, however that ends."""
        for number in range(COUNT, 500):  # more than the pipe between the processes holds
            shutil.copy("frames/f-00.png", f"frames/f-{number}.png")
        self.shown("--end", "0.1")
        with subprocess.Popen([self.program, "frames", "--frames", "--tiles", "photos", "-o", "killed-%d.png"],
                              stderr=subprocess.DEVNULL) as process:
            while not os.path.exists("killed-3.png"):
                self.assertIsNone(process.poll())
            self.assertTrue(self.readers())
            process.kill()
        end = time.monotonic() + 20
        while self.readers():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def readers(self):
        """The processes that read frames in this folder."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if b"--frames\0frames/f-" in (process / "cmdline").read_bytes() and \
                        os.readlink(process / "cwd") == os.getcwd():
                    found.append(process)
        return found


if __name__ == "__main__":
    main()
