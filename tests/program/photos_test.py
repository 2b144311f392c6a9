#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: photos_test.py PROGRAM: photos of all kinds, as what a mosaic is made of, as its tiles, and as the
frames of a film. MOSAIC_SAMPLE_EVERY=1 in the environment tries each kind as input and as tile, else as
one of them: both are read in the same way."""

import functools
import http.server
import json
import os
import subprocess
import threading
import unittest
from typing import Callable, NamedTuple

import gi
from PIL import Image, ImageChops, ImageStat

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf  # noqa: E402

import photo_files as files  # noqa: E402
from photo_files import encoded  # noqa: E402
from program_case import ProgramCase, main  # noqa: E402

BASE = files.gradient()
LOSSY = 6  # the mean difference of a pixel that a lossy format may make


class Kind(NamedTuple):
    """A photo that shows BASE, or in_srgb()."""

    name: str  # of its file
    make: Callable  # the bytes of the file
    tolerance: float = 0  # mean difference of a sample
    notice: str = ""  # what is said of it as an input
    shows: Callable = files.gradient
    loader: str = ""  # the media type for which gdk-pixbuf may have no loader


def with_profile(kind, space, **more):
    return lambda: encoded(BASE, kind, icc_profile=files.profile_of(space), **more)


@functools.lru_cache
def base_in_srgb(space):
    return files.in_srgb(BASE, space)


def shown_in(space):
    return lambda: base_in_srgb(space)


def jpeg():
    return encoded(BASE, "jpeg")


def greys(gamma):
    """How greys of a gamma look in sRGB: of a picture that is grey. In a profile, 2.2 is not the curve
    of sRGB."""
    grey = BASE.convert("L")
    curve = [round(255 * (lambda v: 12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055)(
        (i / 255) ** gamma)) for i in range(256)]
    return grey.point(curve).convert("RGB")


KINDS = [
    Kind("plain.png", lambda: encoded(BASE, "png")),
    Kind("plain.jpg", jpeg, LOSSY),
    *(Kind(f"turned-{turn}.{kind}", lambda kind=kind, turn=turn: encoded(BASE, kind, turn), tolerance)
      for turn, kind, tolerance in ((6, "png", 0), (7, "png", 0), (6, "webp", 0), (5, "tiff", 0),
                                    (6, "jpeg", LOSSY))),
    Kind("turned-after-xmp.jpg", lambda: files.with_extra_segment(encoded(BASE, "jpeg", 8)), LOSSY),
    Kind("photo.heic", files.heic, LOSSY, loader="image/heif"),
    Kind("photo.avif", files.avif, LOSSY, loader="image/avif"),
    Kind("cmyk.jpg", lambda: encoded(BASE.convert("CMYK"), "jpeg"), LOSSY),
    Kind("animated.webp", lambda: files.animation(BASE, "webp"), LOSSY,
         "animated.webp is an animation, and only its first picture is taken", loader="image/webp"),
    Kind("deep.png", lambda: files.png_of_16_bits(BASE)),
    Kind("no-end.jpg", lambda: files.without_end(jpeg()), LOSSY),
    Kind("stray.jpg", lambda: files.with_stray_bytes(jpeg()), LOSSY),
    Kind("saved-by-a-browser.jfif", jpeg, LOSSY),
    Kind("p3.png", with_profile("png", "Display P3"), 1, r"\(Display P3\) are converted to sRGB",
         shown_in("Display P3")),
    Kind("p3.webp", with_profile("webp", "Display P3"), 1, "Display P3", shown_in("Display P3")),
    Kind("adobe-rgb.tif", with_profile("tiff", "Adobe RGB"), 1, r"\(Adobe RGB\) are converted to sRGB",
         shown_in("Adobe RGB")),
    Kind("p3.avif", lambda: files.avif(files.profile_of("Display P3")), LOSSY, "Display P3",
         shown_in("Display P3"), "image/avif"),
    Kind("numbers.avif", lambda: files.avif_with_numbers(12, 13), LOSSY, "Display P3",
         shown_in("Display P3"), "image/avif"),
    Kind("camera.jpg", lambda: encoded(BASE, "jpeg", exif=files.exif_of_adobe_rgb()), LOSSY, "Adobe RGB",
         shown_in("Adobe RGB")),
    Kind("srgb.png", with_profile("png", "sRGB")),
    Kind("greys.png", lambda: encoded(BASE.convert("L"), "png", icc_profile=files.profile_of_greys(1.0)), 1,
         "converted to sRGB", lambda: greys(1.0)),
]

EVERY = 1 if os.environ.get("MOSAIC_SAMPLE_EVERY") == "1" else 2
# They are read as inputs are, but one process reads several.
AS_FRAMES = {"plain.jpg", "turned-7.png", "photo.heic", "cmyk.jpg", "deep.png", "adobe-rgb.tif"}


def difference(one, other):
    """The mean difference of their samples."""
    assert one.size == other.size, (one.size, other.size)
    return max(ImageStat.Stat(ImageChops.difference(one, other)).mean)


def has_loader(media_type):
    return any(media_type in format.get_mime_types() for format in GdkPixbuf.Pixbuf.get_formats())


class QuietServer(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments):
        pass


class Photos(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        Image.new("RGB", (48, 48), (128, 128, 128)).save("flat.png")
        cls.expected = {}

    def write(self, path, data):
        with open(path, "wb") as file:
            file.write(data)

    def picture_of(self, *arguments, tiles="flat.png"):
        """The mosaic, and what the program said. One tile is enough, and faster."""
        done = self.run_program(*arguments, "--tiles", tiles, "--cache-location", "", "-o", "out.png")
        with Image.open("out.png") as image:
            return image.convert("RGB"), done.stderr

    def mosaic_with_tile(self, folder):
        """One cell, which shows the only photo of a folder."""
        return self.picture_of("flat.png", "--size", "1x1", "--output-size", "48x48", "--preset", "plain",
                               "--augment", "false", "--color-variants", "0", tiles=folder)[0]

    def expected_tile(self, kind):
        image = kind.shows()
        key = image.tobytes()
        if key not in self.expected:
            folder = f"expected-{len(self.expected)}"
            os.mkdir(folder)
            image.save(folder + "/tile.png")
            self.expected[key] = self.mosaic_with_tile(folder)
        return self.expected[key]

    def for_each_kind(self, check, kinds):
        for kind in kinds:
            with self.subTest(kind.name):
                if kind.loader and not has_loader(kind.loader):
                    self.skipTest(f"gdk-pixbuf has no loader for {kind.loader}")
                check(kind)

    def test_as_input(self):
        def check(kind):
            self.write(kind.name, kind.make())
            image, said = self.picture_of(kind.name, "--mix", "0")
            self.assertLessEqual(difference(image, kind.shows()), kind.tolerance)
            if kind.notice:
                self.assertRegex(said, kind.notice)

        self.for_each_kind(check, KINDS[::EVERY])

    def test_as_tile(self):
        def check(kind):
            os.mkdir("tile-" + kind.name)
            self.write(f"tile-{kind.name}/{kind.name}", kind.make())
            self.assertLessEqual(
                difference(self.mosaic_with_tile("tile-" + kind.name), self.expected_tile(kind)),
                kind.tolerance)

        self.for_each_kind(check, KINDS[EVERY - 1::EVERY])

    def test_as_frames(self):
        def check(kind):
            folder = "frames-" + kind.name
            os.mkdir(folder)
            for number in range(2):
                self.write(f"{folder}/{number}{os.path.splitext(kind.name)[1]}", kind.make())
            said = self.run_program(folder, "--frames", "--mix", "0", "--tiles", "flat.png", "--cache-location",
                                    "", "-o", folder + "-%d.png").stderr
            for number in range(2):
                with Image.open(f"{folder}-{number}.png") as image:
                    self.assertLessEqual(difference(image.convert("RGB"), kind.shows()), kind.tolerance)
            if "sRGB" in kind.notice:
                self.assertRegex(said, kind.notice)

        self.for_each_kind(check, [kind for kind in KINDS if kind.name in AS_FRAMES])

    def test_a_gif_of_one_picture(self):
        image = BASE.quantize(colors=64)
        image.save("still.gif")
        self.assertEqual(difference(self.picture_of("still.gif", "--mix", "0")[0], image.convert("RGB")), 0)

    def test_damaged_photos_are_refused(self):
        whole = encoded(BASE, "jpeg")
        for name, data, reason in (("half.jpg", whole[:len(whole) * 2 // 3], "the file ends too early"),
                                   ("half.png", encoded(BASE, "png")[:-40], "the file ends too early")):
            with self.subTest(name):
                self.write(name, data)
                done = self.run_program(name, "-o", "none.png", status=1)
                self.assertIn(f"'{name}': {reason}", done.stderr)
                self.assertFalse(os.path.exists("none.png"))

    def test_sides_over_16384_pixels_are_made_smaller(self):
        for name, size, used in (("long.jpg", (20000, 40), (10000, 20)),
                                 ("long.png", (20000, 40), (16384, 32))):
            with self.subTest(name):
                Image.new("L", size, 100).save(name)
                image, said = self.picture_of(name, "--mix", "0", "--tile-size", "16")
                self.assertEqual(image.size, used)
                self.assertIn(f"{name} has 20000x40 pixels and is used as {used[0]}x{used[1]}", said)

    def test_tiles_over_64_megapixels_are_made_smaller(self):
        os.mkdir("large")
        Image.new("L", (8200, 8200), 100).save("large/108.jpg")
        self.assertEqual(self.mosaic_with_tile("large").getpixel((20, 20)), (100, 100, 100))

    def test_dry_run_prints_a_command_that_does_the_same(self):
        name = "its \"name\".webp"
        self.write(name, encoded(BASE, "webp", 6))
        command = self.run_program(name, "-o", "dry.png", "--mix", "0", "--dry-run").stdout
        subprocess.run(command, shell=True, check=True, timeout=60, stdout=subprocess.DEVNULL)
        with Image.open("dry.png") as image:
            self.assertEqual(difference(image.convert("RGB"), BASE), 0)

    def test_addresses_of_files_are_photos_too(self):
        self.write("a b.tif", encoded(BASE, "tiff", 6))
        image, _ = self.picture_of("file://" + os.path.abspath("a b.tif").replace(" ", "%20"), "--mix", "0")
        self.assertEqual(difference(image, BASE), 0)

    def test_photos_of_a_web_server(self):
        self.write("turned.tif", encoded(BASE, "tiff", 6))
        self.write("half.jpg", jpeg()[:-200])
        self.write("page.html", b"<!DOCTYPE html><html><body>text</body></html>")
        handler = functools.partial(QuietServer, directory=self.folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}/"
            image, _ = self.picture_of(address + "turned.tif", "--mix", "0")
            self.assertEqual(difference(image, BASE), 0)
            command = self.run_program(address + "turned.tif", "-o", "dry.png", "--mix", "0", "--dry-run").stdout
            subprocess.run(command, shell=True, check=True, timeout=60, stdout=subprocess.DEVNULL)
            with Image.open("dry.png") as image:
                self.assertEqual(difference(image.convert("RGB"), BASE), 0)
            for name, reason in (("half.jpg", "the file ends too early"), ("page.html", "text"),
                                 ("none.jpg", "the server has nothing at this address")):
                with self.subTest(name):
                    said = self.run_program(address + name, "-o", "none.png", status=1).stderr
                    self.assertIn(address + name, said)
                    self.assertIn(reason, said)
            server.shutdown()

    @unittest.skipUnless(has_loader("image/webp"), "gdk-pixbuf has no loader for WebP")
    def test_photos_are_tried_again_when_a_loader_was_installed(self):
        os.mkdir("mixed")
        BASE.save("mixed/a.png")
        self.write("mixed/b.webp", encoded(BASE, "webp"))
        self.write("no-loaders.cache", b"")
        skipped = []
        for environment in {"GDK_PIXBUF_MODULE_FILE": os.path.abspath("no-loaders.cache")}, {}:
            done = self.run_program("flat.png", "-o", "out.png", "--tiles", "mixed", "--json",
                                    env={**os.environ, **environment})
            skipped.append(json.loads(done.stdout)["skipped_photos"])
        self.assertEqual(skipped, [1, 0])


if __name__ == "__main__":
    main()
