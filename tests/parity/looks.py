# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares stages of the look with mosaicraft's for the same input: colour transfers, seams, and the
finishing of every profile.

usage: looks.py DUMP_LOOKS PRESETS PHOTOS
"""
import pathlib
import subprocess
import sys
import tempfile

import cv2
import numpy as np
from mosaicraft.blending import assemble_laplacian
from mosaicraft.color import apply_color_transfer
from mosaicraft.postprocess import postprocess
from skimage.metrics import structural_similarity

import samples
import stored
from profiles import profiles_with

LEAST_SSIM = 0.998
MOST_MEAN = 0.2  # levels: the greatest mean difference allowed for a colour transfer

dump, presets, photos = sys.argv[1:4]
profiles = profiles_with(presets)
random = np.random.default_rng(7)
failed = []


def ours(pictures, *arguments):
    """The output of dump_looks for BGR pictures, in BGR."""
    data = b"".join(np.ascontiguousarray(p[..., ::-1]).tobytes() for p in pictures)
    out = subprocess.run([dump, *map(str, arguments)], input=data, stdout=subprocess.PIPE,
                         check=True).stdout
    return np.frombuffer(out, np.uint8).reshape(-1, *pictures[0].shape)[..., ::-1]


def judge(what, good, text):
    print(f"{what}: {text}")
    if not good:
        failed.append(what)


def compare_pictures(what, a, b):
    difference = np.abs(a.astype(int) - b)
    ssim = structural_similarity(a, b, channel_axis=2, data_range=255)
    judge(what, ssim >= LEAST_SSIM,
          f"SSIM {ssim:.5f}, {100 * (difference > 1).mean():.2f} % differ by more than a level")


def shrunk_photos(side, count):
    paths = sorted(pathlib.Path(photos).glob("*.jpg"))
    for i in random.choice(len(paths), count):
        yield cv2.resize(cv2.imread(str(paths[i])), (side, side), interpolation=cv2.INTER_AREA)


def mosaic_of_photos(width, height, side):
    tiles = shrunk_photos(side, (width // side) * (height // side))
    rows = [np.hstack([next(tiles) for _ in range(width // side)]) for _ in range(height // side)]
    return np.vstack(rows)


def finishing():
    skin = np.full((240, 320, 3), (120, 150, 210), np.uint8)
    skin[:, :160] += random.integers(0, 40, (240, 160, 3), dtype=np.uint8)
    skin[100:140] = (40, 40, 200)
    pictures = {"photos": mosaic_of_photos(960, 480, 40), "skin": skin,
                "noise": random.integers(0, 256, (240, 320, 3), dtype=np.uint8)}
    for name, profile in profiles.items():
        for what, picture in pictures.items():
            height, width = picture.shape[:2]
            result = ours([picture], "finish", name, width, height)[0]
            compare_pictures(f"finishing {name} {what}", postprocess(picture, profile), result)


def transfers():
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        for method in ("none", "adaptive_reinhard", "histogram", "hybrid", "mkl", "mkl_hybrid"):
            file.seek(0)
            file.truncate()
            file.write(f'color_transfer = "{method}"\nreinhard_l = 0.5\nreinhard_ab = 0.35\n')
            file.flush()
            for side in (24, 40, 60):
                tiles, cells = list(shrunk_photos(side, 60)), list(shrunk_photos(side, 60))
                for i in range(0, 60, 7):  # grey photos, and flat cells
                    tiles[i] = cv2.cvtColor(cv2.cvtColor(tiles[i], cv2.COLOR_BGR2GRAY),
                                            cv2.COLOR_GRAY2BGR)
                for i in range(0, 60, 11):
                    cells[i] = np.full_like(cells[i], 20 * i % 256)
                pairs = [p for pair in zip(tiles, cells) for p in pair]
                result = ours(pairs, "transfer", file.name, side, 60)
                compare_transfer(f"transfer {method} {side} px", method, tiles, cells, result)


def compare_transfer(what, method, tiles, cells, result):
    theirs = np.array([apply_color_transfer(
        t, c, cv2.cvtColor(c, cv2.COLOR_BGR2LAB).astype(np.float64), method,
        {"reinhard_l": 0.5, "reinhard_ab": 0.35}) for t, c in zip(tiles, cells)])
    off = np.abs(theirs.astype(int) - result)
    judge(what, off.mean() <= MOST_MEAN, f"mean {off.mean():.4f} levels, most {off.max()}")


def their_seams(picture, side, levels):
    height, width = picture.shape[:2]
    columns, rows = width // side, height // side
    tiles = [picture[y * side:(y + 1) * side, x * side:(x + 1) * side]
             for y in range(rows) for x in range(columns)]
    plain = {"base_blend_min": 0, "base_blend_max": 0, "color_transfer": "none"}
    return assemble_laplacian(np.arange(rows * columns).reshape(rows, columns), tiles, picture,
                              columns, rows, side, plain, np.ones((rows, columns)), levels)


def seams():
    for side in (24, 40, 60):
        picture = mosaic_of_photos(960, 480, side)
        for levels in (1, 2, 4):
            compare_pictures(f"seams {side} px, {levels} levels", their_seams(picture, side, levels),
                             ours([picture], "seams", side, levels, 960, 480)[0])


def sample_transfer(method, result):
    side = samples.TRANSFER_SIDE
    pictures = bgr(b"".join(samples.tiles(side, 2 * samples.TRANSFER_PAIRS)), side, side)
    compare_transfer(f"sample transfer {method}", method, pictures[0::2], pictures[1::2], result)


def bgr(data, width, height):
    return np.ascontiguousarray(np.frombuffer(data, np.uint8).reshape(-1, height, width, 3)[..., ::-1])


def compare_samples():
    picture = bgr(samples.grained(2, samples.grained(1, samples.scene(2, 480, 240))), 480, 240)[0]
    for name, out in stored.looks(dump):
        hashes.check(name, out)
        kind, what = name.split()
        if kind == "transfer":
            sample_transfer(what, bgr(out, samples.TRANSFER_SIDE, samples.TRANSFER_SIDE))
        elif kind == "seams":
            compare_pictures(f"sample {name}", their_seams(picture, 40, int(what)),
                             bgr(out, 480, 240)[0])
        else:
            compare_pictures(f"sample {name}", postprocess(picture, profiles[what]),
                             bgr(out, 480, 240)[0])


hashes = samples.Hashes("looks")
transfers()
seams()
finishing()
compare_samples()
if not hashes.close(not failed):
    failed.append("hashes")
if failed:
    sys.exit("too far off: " + ", ".join(failed))
