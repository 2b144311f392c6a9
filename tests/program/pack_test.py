#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: pack_test.py PROGRAM: packs of photos, how they are made and used."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

from PIL import Image, ImageChops, ImageStat

from program_case import ProgramCase, ffmpeg, main, samples

COUNT = 140  # in three chunks
FIRST_CHUNK = 64 * 16400  # bytes: of 64 photos, which are kept if there is more


class Packs(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        os.makedirs("many/deep")
        # No two are so near to each other that rounding decides between them.
        gradient = Image.linear_gradient("L")
        for number in range(COUNT):
            colour = [number * step % 256 for step in (7, 59, 101)]
            image = Image.composite(Image.new("RGB", gradient.size, tuple(colour)),
                                    Image.new("RGB", gradient.size, tuple(colour[::-1])), gradient)
            large = number % 2 == 0
            image.resize((320, 300) if large else (90, 100)).save(
                f"many/{number:03d}.png" if large else f"many/deep/{number:03d}.jpg", quality=95)
        Image.radial_gradient("L").convert("RGB").resize((320, 240)).save("input.png")

    def pack(self, output, *arguments, photos="many", status=0):
        done = self.run_program("pack", photos, "-o", output, "--json", *arguments, status=status)
        return json.loads(done.stdout)

    def mosaic(self, tiles, name, *arguments):
        done = self.run_program("input.png", "-o", name, "--tiles", tiles, "--force", "--size", "32x24", "--json",
                                *arguments)
        with Image.open(name) as image:
            return json.loads(done.stdout), image.convert("RGB")

    def test_tiles_come_from_a_pack(self):
        made = self.pack("all.mospack")
        self.assertEqual((made["photos"], made["kept"], made["skipped"]), (COUNT, 0, 0))
        stats, packed = self.mosaic("all.mospack", "packed.png", "--output-size", "1280x960")
        self.assertEqual(stats["tiles"], 4 * COUNT)
        _, plain = self.mosaic("many", "plain.png", "--output-size", "1280x960")
        # The photos were made smaller in two steps instead of one.
        self.assertLess(ImageStat.Stat(ImageChops.difference(packed, plain).convert("L")).mean[0], 4)
        _, again = self.mosaic("all.mospack", "again.png", "--output-size", "1280x960")
        self.assertEqual(again.tobytes(), packed.tobytes())

    def test_large_cells_show_the_large_levels(self):
        """Of cells of 160 pixels the tiles are read from JPEG."""
        self.pack("large.mospack", "--largest", "256")
        _, packed = self.mosaic("large.mospack", "packed.png", "--size", "4x3", "--output-size", "640x480",
                                "--preset", "plain", "--augment", "false")
        _, plain = self.mosaic("many", "plain.png", "--size", "4x3", "--output-size", "640x480", "--preset", "plain",
                               "--augment", "false")
        self.assertLess(ImageStat.Stat(ImageChops.difference(packed, plain).convert("L")).mean[0], 4)

    def test_the_same_photos_make_the_same_pack(self):
        shutil.copytree("many", "elsewhere/copy")
        first, second = self.pack("first.mospack"), self.pack("second.mospack", "--n-threads", "1",
                                                              photos="elsewhere/copy")
        self.assertEqual(first["hash"], second["hash"])
        self.assertNotIn(self.folder.encode(), pathlib.Path("first.mospack").read_bytes())

    def test_names_are_those_in_the_folders_that_were_named(self):
        self.pack("two.mospack", "photos/00.png", "photos/01.png", photos="many/deep")
        data = pathlib.Path("two.mospack").read_bytes()
        self.assertEqual([data.count(name) for name in (b"deep/001.jpg", b"photos/00.png", b"photos/01.png")], [1, 1, 1])

    def test_only_new_photos_are_decoded(self):
        shutil.copytree("many", "growing")
        before = self.pack("growing.mospack", photos="growing")
        Image.new("RGB", (100, 100), (1, 2, 3)).save("growing/new.png")
        after = self.pack("growing.mospack", photos="growing")
        self.assertEqual((after["photos"], after["kept"]), (COUNT + 1, COUNT))
        self.assertNotEqual(before["hash"], after["hash"])

    def test_it_goes_on_after_it_was_stopped(self):
        wanted = self.pack("whole.mospack", "--largest", "64")["hash"]
        for number in signal.SIGINT, signal.SIGKILL:
            with self.subTest(number):
                output = f"stopped-{number.value}.mospack"
                part = f".{output}.part"
                with subprocess.Popen([self.program, "pack", "many", "-o", output, "--n-threads", "1", "--largest", "64"],
                                      stderr=subprocess.PIPE, text=True) as process:
                    while not (os.path.exists(part) and os.path.getsize(part) > FIRST_CHUNK):
                        if process.poll() is not None:
                            break
                        time.sleep(0.001)
                    process.send_signal(number)
                    said = process.communicate(timeout=60)[1]
                if process.returncode == 0:
                    continue  # it was faster
                self.assertFalse(os.path.exists(output))
                if number == signal.SIGINT:
                    self.assertEqual(process.returncode, 130)
                    self.assertIn("the same command goes on where it was", said)
                made = self.pack(output, "--largest", "64")
                self.assertGreaterEqual(made["kept"], 64)
                self.assertEqual((made["photos"], made["hash"]), (COUNT, wanted))
                self.assertFalse(os.path.exists(part))

    def test_photos_that_cannot_be_read(self):
        shutil.copytree("photos", "mixed")
        with open("mixed/broken.png", "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + bytes(100))
        done = self.run_program("pack", "mixed", "-o", "mixed.mospack", status=3)
        self.assertRegex(done.stderr, r"warning: .*broken.png.*: the file ends too early")
        self.assertRegex(done.stderr, r"40 photos; 1 could not be read: mixed.mospack, hash [0-9a-f]{32}")
        os.mkdir("broken")
        os.rename("mixed/broken.png", "broken/broken.png")
        done = self.run_program("pack", "broken", "-o", "broken.mospack", status=1)
        self.assertIn("none of the 1 photos could be read", done.stderr)
        self.assertFalse([name for name in os.listdir() if "broken.mospack" in name])

    def test_a_pack_that_is_damaged(self):
        self.pack("good.mospack")
        size = os.path.getsize("good.mospack")
        for name, change in (("short.mospack", lambda data: data[:size // 2]),
                             ("text.mospack", lambda _: b"no pack at all"), ("empty.mospack", lambda _: b"")):
            with self.subTest(name):
                with open("good.mospack", "rb") as file, open(name, "wb") as copy:
                    copy.write(change(file.read()))
                done = self.run_program("input.png", "-o", "none.png", "--tiles", name, status=1)
                self.assertRegex(done.stderr, rf"cannot read the pack '.*{re.escape(name)}'")
        done = self.run_program("input.png", "-o", "none.png", "--tiles", "none.mospack", status=1)
        self.assertRegex(done.stderr, r"cannot open the pack '.*none.mospack': No such file")

    def test_what_is_no_pack_is_not_replaced(self):
        shutil.copy("input.png", "film.mospack")
        done = self.run_program("pack", "photos", "-o", "film.mospack", status=1)
        self.assertIn("'film.mospack' exists, and is no pack", done.stderr)
        with Image.open("film.mospack") as image:
            self.assertEqual(image.size, (320, 240))

    def test_a_mosaic_as_a_stream(self):
        """A film becomes numbers of tiles; who has the pack draws it at any size."""
        self.pack("stream.mospack")
        ffmpeg("-f", "lavfi", "-i", "testsrc=duration=2:rate=25:size=320x240", "-f", "lavfi", "-i",
               "sine=duration=2", "film.mkv")
        done = self.run_program("film.mkv", "--tiles", "stream.mospack", "-o", "film.mosaic", "--size", "16x12", "--json")
        self.assertEqual(json.loads(done.stdout)["frames"], 50)
        self.assertIn("the sound is left out: a .mosaic file cannot hold it", done.stderr)
        self.assertLess(os.path.getsize("film.mosaic"), 100000)
        drawn = samples("filesrc location=film.mosaic ! mosaicparse ! mosaicrender pack-location=stream.mospack ! "
                        "video/x-raw,format=RGB,width=640,height=480 ! appsink name=out sync=false")
        self.assertEqual([len(sample.data) for sample in drawn], 50 * [640 * 480 * 3])
        self.assertAlmostEqual(drawn[-1].start, 1960000000, delta=5000000)  # Matroska counts milliseconds
        self.run_program("film.mkv", "--tiles", "stream.mospack", "-o", "plain.mkv", "--size", "16x12", "--start", "1.96",
                         "--output-size", "640x480", "--codec", "h264", "--cq", "1")
        ffmpeg("-i", "plain.mkv", "-frames:v", "1", "plain.png")
        with Image.open("plain.png") as image:
            received = Image.frombytes("RGB", (640, 480), drawn[-1].data)
            difference = ImageStat.Stat(ImageChops.difference(received, image.convert("RGB")).convert("L")).mean[0]
        self.assertLess(difference, 12)

    def test_a_stream_needs_a_pack_and_has_no_size(self):
        ffmpeg("-f", "lavfi", "-i", "testsrc=duration=0.2:rate=25:size=320x240", "short.mkv")
        done = self.run_program("short.mkv", "--tiles", "many", "-o", "short.mosaic", status=1)
        self.assertIn("mosaic-temporal pack", done.stderr)
        self.assertFalse(os.path.exists("short.mosaic"))
        for option in ("--output-size", "640x480"), ("--codec", "h264"):
            done = self.run_program("short.mkv", "--tiles", "many", "-o", "short.mosaic", *option, status=2)
            self.assertIn(option[0], done.stderr)
        self.assertIn("a photo becomes a picture",
                      self.run_program("input.png", "--tiles", "many", "-o", "short.mosaic", status=2).stderr)

    def test_complaints(self):
        for arguments, text in ((("photos",), "--output FILE.mospack"), (("-o", "a.mospack"), "name a folder of photos"),
                                (("photos", "-o", "a.zip"), "must end in .mospack"),
                                (("photos", "-o", "a.mospack", "--largest", "100"), "use 64, 128, 256, 512 or 1024"),
                                (("photos", "-o", "a.mospack", "--wrong"), "--wrong")):
            with self.subTest(arguments):
                self.assertIn(text, self.run_program("pack", *arguments, status=2).stderr)
        self.assertIn("no photos in 'nowhere'", self.run_program("pack", "nowhere", "-o", "a.mospack", status=1).stderr)
        self.assertIn("--largest", self.run_program("pack", "--help").stdout)


if __name__ == "__main__":
    main()
