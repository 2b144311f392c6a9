# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes a moving picture of two mosaics beside each other: steady.py FRAMES OTHERS OUT X Y WIDTH HEIGHT

FRAMES and OTHERS are patterns of the names of frames, OUT an animated WebP; the numbers are the part of the
frames that is shown.
"""
import itertools
import pathlib
import sys

from PIL import Image

GAP = 4  # pixels between the two
FRAME_MS = 80
MOST_BYTES = 3_000_000


def frames(pattern, box):
    for number in itertools.count():
        path = pathlib.Path(pattern % number)
        if not path.exists():
            return
        yield Image.open(path).convert("RGB").crop(box)


def main():
    left, top, width, height = map(int, sys.argv[4:])
    box = (left, top, left + width, top + height)
    pictures = []
    for pair in zip(frames(sys.argv[1], box), frames(sys.argv[2], box)):
        picture = Image.new("RGB", (2 * width + GAP, height), "white")
        for number, side in enumerate(pair):
            picture.paste(side, (number * (width + GAP), 0))
        pictures.append(picture)
    for quality in range(80, 10, -10):  # the best that is small enough for a web page
        pictures[0].save(sys.argv[3], save_all=True, append_images=pictures[1:], duration=FRAME_MS, loop=0,
                         quality=quality, method=4)
        if pathlib.Path(sys.argv[3]).stat().st_size <= MOST_BYTES:
            return
    sys.exit(f"{sys.argv[3]} cannot be made small enough")


main()
