# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares the saliency and what it is computed from. In each cell the number of edge pixels, the sum
of the Laplacian and its largest value must equal OpenCV's; the weights may differ from mosaicraft's
by rounding only.

usage: saliency.py DUMP_SALIENCY PHOTOS
"""
import pathlib
import subprocess
import sys

import cv2
import numpy as np
from mosaicraft.saliency import compute_saliency_weights

import samples
import stored

TOLERANCE = 1e-9  # of a weight: the sums in double precision are in another order
CELL = np.dtype([("edges", "<i4"), ("laplacian", "<i4"), ("most", "<i4"), ("weight", "<f8")])
SIDES = (24, 40, 60)

random = np.random.default_rng(7)


def noise(width, height, low, high):
    return random.integers(low, high, (height, width, 3), dtype=np.uint8)


def shapes(width, height):
    """Sharp and blurred lines, circles and letters: long weak edges with few strong pixels."""
    picture = np.full((height, width, 3), 90, np.uint8)
    for i in range(60):
        colour = tuple(int(v) for v in random.integers(60, 140, 3))
        a, b = (tuple(int(v) for v in random.integers(0, (width, height))) for _ in range(2))
        cv2.line(picture, a, b, colour, int(random.integers(1, 4)), cv2.LINE_AA)
        cv2.circle(picture, a, int(random.integers(3, height // 3)), colour, 1 + i % 3)
        cv2.putText(picture, "mosaic", b, cv2.FONT_HERSHEY_SIMPLEX, 0.3 + i % 4, colour)
    soft = cv2.GaussianBlur(picture, (0, 0), 3)
    picture[:, width // 2:] = soft[:, width // 2:]
    return picture


def spiral(width, height):
    """One long faint line over the whole picture that touches a single bright spot: the hardest case
    for hysteresis in strips of rows, because the spot decides about pixels in every strip."""
    picture = np.full((height, width, 3), 100, np.uint8)
    for x in range(8, width - 16, 16):
        cv2.line(picture, (x, 10), (x, height - 11), (125, 125, 125), 2)
        y = 10 if x // 16 % 2 else height - 11
        cv2.line(picture, (x, y), (x + 16, y), (125, 125, 125), 2)
    picture[height // 2 - 2:height // 2 + 2, 6:12] = 255
    return picture


def photo(path, width, height):
    return cv2.resize(cv2.imread(str(path)), (width, height), interpolation=cv2.INTER_LANCZOS4)


def mosaic_of(paths, width, height, side):
    tiles = [cv2.resize(cv2.imread(str(p)), (side, side), interpolation=cv2.INTER_AREA)
             for p in random.choice(paths, (width // side) * (height // side))]
    columns = width // side
    return np.vstack([np.hstack(tiles[i:i + columns]) for i in range(0, len(tiles), columns)])


def pictures(photos):
    """Names and BGR pictures of whole cells of every side."""
    paths = sorted(pathlib.Path(photos).glob("*.jpg"))
    size = (960, 480)
    yield "noise", noise(*size, 0, 256)
    yield "faint noise", noise(*size, 100, 150)
    yield "soft noise", cv2.GaussianBlur(noise(*size, 0, 256), (0, 0), 0.8)
    yield "flat", np.full((480, 960, 3), 127, np.uint8)
    yield "shapes", shapes(*size)
    yield "thread", spiral(*size)
    for path in paths[::len(paths) // 12]:
        yield path.name, photo(path, *size)
    yield "many photos", mosaic_of(paths, *size, 60)
    yield "1920 x 1080", mosaic_of(paths, 1920, 1080, 120)
    yield "small", noise(120, 120, 90, 160)


def opencv_cells(picture, side):
    """Edge pixels, sum and maximum of the Laplacian of each cell, [rows][columns]."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    laplacian = np.abs(cv2.Laplacian(cv2.GaussianBlur(grey, (5, 5), 1.5), cv2.CV_64F)).astype(int)
    rows, columns = picture.shape[0] // side, picture.shape[1] // side

    def cells(plane):
        return plane.reshape(rows, side, columns, side).transpose(0, 2, 1, 3).reshape(
            rows * columns, -1)
    edges = cells(cv2.Canny(grey, 50, 150) > 0).sum(axis=1)
    theirs = np.stack([edges, cells(laplacian).sum(axis=1), cells(laplacian).max(axis=1)])
    return theirs, compute_saliency_weights(grey, picture, columns, rows, side).reshape(-1)


def compare(dump, name, picture, side):
    height, width = picture.shape[:2]
    out = subprocess.run([dump, str(width), str(height), str(side)],
                         input=np.ascontiguousarray(picture[..., ::-1]).tobytes(),
                         stdout=subprocess.PIPE, check=True).stdout
    return judge(out, name, picture, side)


def judge(out, name, picture, side):
    ours = np.frombuffer(out, CELL)
    theirs, weights = opencv_cells(picture, side)
    counts = np.stack([ours["edges"], ours["laplacian"], ours["most"]])
    wrong = (counts != theirs).any(axis=0)
    off = np.abs(ours["weight"] - weights).max()
    print(f"{name}, {side} px: {wrong.size - wrong.sum()} of {wrong.size} cells equal "
          f"({theirs[0].sum()} pixels on edges), weights off by {off:.1e}")
    for i in np.flatnonzero(wrong)[:5]:
        print(f"  cell {i}: edges, Laplacian, largest {counts[:, i]} are not {theirs[:, i]}")
    return not wrong.any() and off <= TOLERANCE


def main():
    dump, photos = sys.argv[1:3]
    equal = [compare(dump, name, picture, side) for name, picture in pictures(photos)
             for side in SIDES if not (picture.shape[0] % side or picture.shape[1] % side)]
    hashes = samples.Hashes("saliency")
    picture = np.frombuffer(samples.scene(1, 480, 240), np.uint8).reshape(240, 480, 3)[..., ::-1]
    for side, (name, out) in zip(samples.SIDES, stored.saliency(dump, with_weights=True)):
        hashes.check(name, stored.counts(out))
        equal.append(judge(out, "sample", np.ascontiguousarray(picture), side))
    sys.exit(not (hashes.close(all(equal)) and all(equal)))


if __name__ == "__main__":
    main()
