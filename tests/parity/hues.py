# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares the variants of a pool's tiles (augmented, with rotated hues), as we draw them, with
mosaicraft's, in the same order.

usage: hues.py DUMP_HUES PHOTOS
"""
import pathlib
import subprocess
import sys

import cv2
import numpy as np
from mosaicraft.color_augment import expand_color_variants
from mosaicraft.tiles import TileSet, augment_tiles

import samples
import stored

MOST_MEAN = 0.2  # levels: the greatest mean difference allowed for a tile
SIDE = 40


def tile_photos(folder):
    """BGR photos, some of them grey, and noise, some of it nearly white or black."""
    random = np.random.default_rng(7)
    for i, path in enumerate(sorted(pathlib.Path(folder).glob("*.jpg"))[::45]):
        tile = cv2.resize(cv2.imread(str(path)), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        yield cv2.cvtColor(cv2.cvtColor(tile, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR) \
            if i % 5 == 4 else tile
    yield random.integers(0, 256, (SIDE, SIDE, 3), dtype=np.uint8)
    yield random.integers(250, 256, (SIDE, SIDE, 3), dtype=np.uint8)
    yield random.integers(0, 6, (SIDE, SIDE, 3), dtype=np.uint8)


def tile_set(tiles):
    """The tiles in the form that mosaicraft makes variants of; only their pixels matter."""
    return TileSet(tiles=tiles, features=np.zeros((len(tiles), 191), np.float32),
                   lab_stats=[(0.0,) * 6] * len(tiles),
                   grays=[cv2.cvtColor(t, cv2.COLOR_BGR2GRAY) for t in tiles],
                   oklab_means=np.zeros((len(tiles), 3)), paths=None)


def compare(dump, tiles, augment, hues):
    data = b"".join(np.ascontiguousarray(t[..., ::-1]).tobytes() for t in tiles)
    out = subprocess.run([dump, str(SIDE), str(int(augment)), str(hues)], input=data,
                         stdout=subprocess.PIPE, check=True).stdout
    return judge(out, tiles, augment, hues)


def judge(out, tiles, augment, hues):
    ours = np.frombuffer(out, np.uint8).reshape(-1, SIDE, SIDE, 3)[..., ::-1].astype(int)
    theirs = augment_tiles(tile_set(tiles), SIDE) if augment else tile_set(tiles)
    theirs = np.array(expand_color_variants(theirs, n_variants=hues, tile_size=SIDE).tiles)
    what = f"{hues} hues, {'augmented' if augment else 'plain'}"
    if ours.shape != theirs.shape:
        print(f"{what}: {len(ours)} tiles, not {len(theirs)}")
        return False
    off = np.abs(ours - theirs)
    means = off.mean(axis=(1, 2, 3))
    print(f"{what}: {len(ours)} tiles, mean {off.mean():.4f} levels, worst tile {means.max():.4f}, "
          f"worst pixel {off.max()}")
    return means.max() <= MOST_MEAN


def main():
    tiles = list(tile_photos(sys.argv[2]))
    good = [compare(sys.argv[1], tiles, augment, hues)
            for augment, hues in ((True, 0), (False, 1), (True, 4), (False, 5), (False, 12))]
    hashes = samples.Hashes("hues")
    tiles = [np.frombuffer(t, np.uint8).reshape(SIDE, SIDE, 3)[..., ::-1].copy()
             for t in samples.tiles(samples.HUE_SIDE, 16)]
    for (augment, count), (name, out) in zip(samples.HUES, stored.hues(sys.argv[1])):
        hashes.check(name, out)
        good.append(judge(out, tiles, augment, count))
    sys.exit(not (hashes.close(all(good)) and all(good)))


if __name__ == "__main__":
    main()
