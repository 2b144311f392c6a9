#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: sizes_test.py PROGRAM: outputs of another size and another shape than the input."""

from PIL import Image

from pipelines import launch
from program_case import ProgramCase, main, samples

WIDTH, HEIGHT = 160, 120


def picture_of(name):
    """The first frame of a video as a picture, and its pixel aspect ratio."""
    caps = []
    pipeline = (f"filesrc location={name} ! decodebin name=in in. ! video/x-raw ! videoconvert ! "
                "video/x-raw,format=RGB ! appsink name=out sync=false")
    found = samples(pipeline, caps)
    structure = caps[0].get_structure(0)
    width, height = (structure.get_value(side) for side in ("width", "height"))
    stride = (3 * width + 3) // 4 * 4
    return Image.frombytes("RGB", (width, height), found[0].data, "raw", "RGB", stride), \
        structure.get_fraction("pixel-aspect-ratio")[1:]


class Sizes(ProgramCase):
    """The input is green, with a red square."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, size in (("photo.png", (WIDTH, HEIGHT)), ("odd.png", (161, 121))):
            picture = Image.new("RGB", size, (0, 160, 0))
            square = Image.new("RGB", (100, 100), (200, 0, 0))
            picture.paste(square, (30, 10))
            picture.save(name)
            launch(f"filesrc location={name} ! pngdec ! imagefreeze num-buffers=3 ! video/x-raw,framerate=25/1 ! "
                   f"videoconvert ! video/x-raw,format=I420 ! vp8enc ! matroskamux ! filesink location={name[:-3]}mkv")
        with Image.open("photo.png") as picture:
            picture.resize((WIDTH // 2, HEIGHT)).save("narrow.png")
        launch("filesrc location=narrow.png ! pngdec ! imagefreeze num-buffers=3 ! video/x-raw,framerate=25/1 ! "
               "videoconvert ! video/x-raw,format=I420 ! capssetter caps=video/x-raw,pixel-aspect-ratio=2/1 ! "
               "x264enc ! matroskamux ! filesink location=wide.mkv")

    def mosaic(self, source, name, *arguments):
        """The picture, and what was said. It is the source's picture, so that shapes can be seen."""
        done = self.run_program(source, "-o", name, "--tiles", "photos", "--size", "4x3", "--mix", "0", *arguments)
        if name.endswith("png"):
            with Image.open(name) as picture:
                return picture.convert("RGB"), done.stderr
        picture, pixel = picture_of(name)
        self.assertEqual(pixel, (1, 1))
        return picture, done.stderr

    def square(self, picture):
        """Left, top, width and height of what is red."""
        reds = picture.split()[0].point(lambda value: 255 if value > 100 else 0)
        left, top, right, bottom = reds.getbbox()
        return left, top, right - left, bottom - top

    def test_the_other_side_follows(self):
        for source, size, expected in (("photo.png", "320x", (320, 240)), ("photo.png", "x60", (80, 60)),
                                       ("odd.png", "483x", (483, 363)), ("wide.mkv", "320x", (320, 240))):
            with self.subTest(f"{source} {size}"):
                name = "follows.png" if source.endswith("png") else "follows.mp4"
                picture, said = self.mosaic(source, name, "--output-size", size)
                self.assertEqual(picture.size, expected)
                self.assertNotIn("cropped", said)
        self.assertIn("is the limit", self.run_program("photo.png", "-o", "a.png", "--output-size", "x16384",
                                                       status=2).stderr)

    def test_nothing_is_distorted_in_silence(self):
        for source, name in (("photo.png", "fit.png"), ("photo.mkv", "fit.mp4"), ("wide.mkv", "fit.mp4")):
            for arguments, notice, expected in (
                    ((), "25 % of its width are left out", (20, 20, 200, 200)),
                    (("--fit", "crop"), None, (20, 20, 200, 200)),
                    (("--fit", "pad"), None, (45, 45, 150, 150)),
                    (("--fit", "stretch"), None, (45, 20, 150, 200))):
                with self.subTest(f"{source} {arguments}"):
                    picture, said = self.mosaic(source, name, "--output-size", "240x240", *arguments)
                    self.assertEqual(picture.size, (240, 240))
                    for found, wanted in zip(self.square(picture), expected):
                        self.assertAlmostEqual(found, wanted, delta=6)
                    if notice:
                        self.assertIn(notice, said)
                    else:
                        self.assertNotIn("left out", said)
                    border = picture.getpixel((120, 5))
                    self.assertEqual(max(border) < 30, "pad" in arguments, border)

    def test_the_same_shape_is_not_cropped(self):
        for size in ("320x240", "321x240", "80x60"):
            _, said = self.mosaic("photo.png", "same.png", "--output-size", size)
            self.assertNotIn("cropped", said)

    def test_odd_sizes_of_videos(self):
        for source, arguments, size in (("odd.mkv", (), "160x120, not 161x121"),
                                        ("photo.mkv", ("--output-size", "201x151"), "200x150, not 201x151")):
            with self.subTest(source):
                picture, said = self.mosaic(source, "odd.mp4", *arguments)
                self.assertIn(f"the video is {size}: its sides have to be even numbers", said)
                self.assertEqual("{}x{}".format(*picture.size), size.split(",")[0])
        picture, said = self.mosaic("odd.png", "odd.png.png")
        self.assertEqual(picture.size, (161, 121))
        self.assertNotIn("even", said)


if __name__ == "__main__":
    main()
