# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes a moving picture of two mosaics beside each other: steady.py FRAMES OTHERS OUT FIRST X Y SIDE

FRAMES and OTHERS are patterns of the names of frames, OUT is an animated WebP. From the FIRST frame on,
the square at X, Y with that SIDE is shown of each.
"""
import itertools
import pathlib
import sys

from PIL import Image

SHOWN, GAP = 448, 4  # pixels: side of a square, and between the two
FRAME_MS = 80
MOST_BYTES = 2_900_000


def squares(pattern, first, box):
    for number in itertools.count(first):
        path = pathlib.Path(pattern % number)
        if not path.exists():
            return
        frame = Image.open(path).convert("RGB")
        yield frame.resize((SHOWN, SHOWN), Image.Resampling.LANCZOS, box=box)


def main():
    patterns, out = sys.argv[1:3], pathlib.Path(sys.argv[3])
    first, x, y, side = map(int, sys.argv[4:])
    box = (x, y, x + side, y + side)
    pictures = []
    for pair in zip(*(squares(pattern, first, box) for pattern in patterns)):
        picture = Image.new("RGB", (2 * SHOWN + GAP, SHOWN), "white")
        for number, square in enumerate(pair):
            picture.paste(square, (number * (SHOWN + GAP), 0))
        pictures.append(picture)
    for quality in range(80, 10, -10):  # the best that is small enough for a web page
        pictures[0].save(out, save_all=True, append_images=pictures[1:], duration=FRAME_MS, loop=0,
                         quality=quality, method=4)
        if out.stat().st_size <= MOST_BYTES:
            return
    sys.exit(f"{out} cannot be made small enough")


main()
