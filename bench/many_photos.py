# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes many photos out of few, as a pool to measure with.

usage: many_photos.py PHOTOS FOLDER NUMBER...

Each is a part of one of PHOTOS, in other colours, as a JPEG of 120x120 pixels. NUMBERs go up. The
folder of each NUMBER contains that of the one before, so that the element, which searches folders
within folders, finds NUMBER photos there: FOLDER/10000/2500/ for the numbers 2500 and 10000. The same
arguments make the same photos.
"""
import multiprocessing
import pathlib
import shutil
import sys

import numpy as np
import PIL.Image

SIDE = 120


def folders(root, numbers):
    """{number: its folder}"""
    found, folder = {}, pathlib.Path(root)
    for number in sorted(numbers, reverse=True):
        folder = folder / str(number)
        found[number] = folder
    return found


def make(photo, path, seed):
    random = np.random.default_rng(seed)
    with PIL.Image.open(photo) as image:
        image = image.convert("RGB")
    part = random.uniform(0.6, 1) * min(image.size)
    left, top = (random.uniform(0, length - part) for length in image.size)
    image = image.resize((SIDE, SIDE), PIL.Image.BILINEAR, (left, top, left + part, top + part))
    colours = np.asarray(image, np.float32) * random.uniform(0.5, 1.4, 3)
    PIL.Image.fromarray(np.clip(colours, 0, 255).astype(np.uint8)).save(path, quality=85)


def main():
    photos = sorted(pathlib.Path(sys.argv[1]).iterdir())
    root, numbers = pathlib.Path(sys.argv[2]), sorted(map(int, sys.argv[3:]))
    unfinished = root.with_name(root.name + ".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    work, seed = [], 0
    for number, folder in sorted(folders(unfinished, numbers).items()):
        folder.mkdir(parents=True, exist_ok=True)
        for seed in range(seed, number):
            work.append((photos[seed % len(photos)], folder / f"{seed:06}.jpg", seed))
        seed = number
    with multiprocessing.Pool() as pool:
        pool.starmap(make, work, chunksize=100)
    shutil.rmtree(root, ignore_errors=True)
    unfinished.rename(root)


if __name__ == "__main__":
    main()
