#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: colours_test.py PROGRAM: films keep their colours, whatever their matrix, range and container.

With --mix 0 the mosaic is the input's picture. MOSAIC_SAMPLE_EVERY=1 in the environment tries all
combinations, else those that differ in one thing from the first."""

import itertools
import os
import shutil
import subprocess

from PIL import Image

from program_case import ProgramCase, ffmpeg, main

PATCH = 32  # pixels of each colour's width and height
COLOURS = [(64, 64, 64), (192, 192, 192), (200, 60, 60), (60, 180, 60), (60, 60, 200), (16, 16, 16),
           (240, 240, 240), (180, 180, 40)]
# Of the matrix and of the encoder, and 2 for what videoconvert rounds. Another range changes these colours
# by up to 16, another matrix by up to 20.
TOLERANCE = 5
CONTAINERS, RANGES, MATRICES, CODECS = (("mp4", "mov", "mkv"), ("pc", "tv"), ("bt709", "smpte170m"),
                                        ("libx264", "libx265"))


def films():
    first = (CONTAINERS[0], RANGES[0], MATRICES[0], CODECS[0])
    for film in itertools.product(CONTAINERS, RANGES, MATRICES, CODECS):
        if os.environ.get("MOSAIC_SAMPLE_EVERY") == "1" or sum(a != b for a, b in zip(first, film)) <= 1:
            yield film


def make_film(path, value_range, matrix, codec):
    ffmpeg("-loop", "1", "-framerate", "5", "-t", "1", "-i", "colours.png", "-vf",
           f"scale=out_color_matrix={matrix}:out_range={value_range}:flags=accurate_rnd,format=yuv420p",
           "-color_range", value_range, "-colorspace", matrix, "-color_primaries", matrix, "-color_trc", matrix,
           "-c:v", codec, "-crf", "3", "-x265-params",
           f"log-level=none:range={'full' if value_range == 'pc' else 'limited'}", path)


class Colours(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        picture = Image.new("RGB", (PATCH * len(COLOURS), PATCH))
        for i, colour in enumerate(COLOURS):
            picture.paste(colour, (i * PATCH, 0, (i + 1) * PATCH, PATCH))
        picture.save("colours.png")

    def check(self, source, output):
        """With the first frame of a film as a picture."""
        self.run_program(source, "-o", output, "--tiles", "photos", "--size", "8x1", "--mix", "0", "-q")
        picture = output.replace("%d", "0")
        if not picture.endswith(".png"):
            ffmpeg("-i", output, "-frames:v", "1", "-sws_flags", "accurate_rnd", picture := output + ".png")
        with Image.open(picture) as made:
            made = made.convert("RGB")
            for i, colour in enumerate(COLOURS):
                found = made.getpixel((i * PATCH + PATCH // 2, PATCH // 2))
                for value, wanted in zip(found, colour):
                    self.assertAlmostEqual(value, wanted, delta=TOLERANCE, msg=(colour, found))

    def test_films(self):
        for container, value_range, matrix, codec in films():
            name = f"{value_range}-{matrix}-{codec}.{container}"
            with self.subTest(name):
                make_film(name, value_range, matrix, codec)
                self.check(name, f"{name}-%d.png")
                self.check(name, f"made-{value_range}-{matrix}-{codec}-{container}.mp4")

    def test_film_without_compression(self):
        """avidemux gives such films a negative pixel aspect."""
        for pixels in ("bgr24", "bgra"):
            with self.subTest(pixels):
                ffmpeg("-loop", "1", "-framerate", "5", "-t", "1", "-i", "colours.png", "-pix_fmt", pixels,
                       "-c:v", "rawvideo", f"{pixels}.avi")
                self.check(f"{pixels}.avi", f"{pixels}.mkv")
                aspect = subprocess.run(
                    ["ffprobe", "-v", "error", "-show_entries", "stream=sample_aspect_ratio", "-of", "csv=p=0",
                     f"{pixels}.mkv"], check=True, capture_output=True, text=True, timeout=60).stdout.strip()
                self.assertIn(aspect, ("1:1", "N/A"))


if __name__ == "__main__":
    if not shutil.which("ffmpeg"):
        raise SystemExit(77)  # meson: skipped
    main()
