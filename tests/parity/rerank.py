# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares our rerank with mosaicraft's for the same tiles, cells, assignment and nearest tiles: the
structural similarities, the order by correlation, and the final tiles.

usage: rerank.py DUMP_RERANK PHOTOS
"""
import pathlib
import subprocess
import sys

import cv2
import numpy as np
from mosaicraft.color import bgr_to_oklab
from mosaicraft.features import extract_features
from mosaicraft.placement import _ncc, compute_cost_matrix, place_hungarian, ssim_rerank
from mosaicraft.tiles import augment_tiles, load_tiles
from skimage.metrics import structural_similarity

import arctangent  # noqa: F401
import samples
import stored

COLUMNS, ROWS = 24, 18
NEAREST = 25
MOST_SSIM = 1e-5  # the greatest difference allowed
LEAST_SAME = 99.5  # percent of the cells with the same tile
SAMPLE = 12  # all scores are compared in one of so many cells
SCORE = np.dtype([("ssim", "<f8"), ("correlation", "<f8")])

dump, photos = sys.argv[1:3]
failed = []


def judge(what, good, text):
    print(f"{what}: {text}")
    if not good:
        failed.append(what)


def planar(pictures):
    return np.stack([p[..., ::-1].transpose(2, 0, 1) for p in pictures]).tobytes()


def ours(tiles, cells, side, assignment, nearest):
    data = (planar(tiles) + planar(cells) + assignment.astype("<i4").tobytes()
            + nearest.astype("<i4").tobytes())
    out = subprocess.run([dump, str(side), str(COLUMNS), str(ROWS), str(len(tiles))], input=data,
                         stdout=subprocess.PIPE, check=True).stdout
    return out


def parts(out, cells):
    """The scores and the tiles in the output of dump_rerank."""
    count = cells * (1 + NEAREST)
    scores = np.frombuffer(out, SCORE, count).reshape(cells, 1 + NEAREST)
    return scores, np.frombuffer(out, "<i4", cells, count * SCORE.itemsize)


def same_order(correlations, scores):
    """Whether our scores order the tiles as mosaicraft's correlations do, except for equal ones."""
    order = np.argsort(-scores, kind="stable")
    return np.all(np.diff(np.asarray(correlations)[order]) <= 1e-12)


def cuts(side):
    """The slices of a picture that are the cells."""
    return [np.s_[y * side:(y + 1) * side, x * side:(x + 1) * side]
            for y in range(ROWS) for x in range(COLUMNS)]


def compare(side, photo):
    tileset = augment_tiles(load_tiles(photos, side), side)
    target = cv2.resize(cv2.imread(str(photo)), (COLUMNS * side, ROWS * side),
                        interpolation=cv2.INTER_LANCZOS4)
    gray = cv2.cvtColor(target, cv2.COLOR_BGR2GRAY)
    cells = [target[c] for c in cuts(side)]
    lab = [cv2.cvtColor(c, cv2.COLOR_BGR2LAB).astype(np.float32) for c in cells]
    features = np.array([extract_features(c, side) for c in lab], np.float32)
    oklab = np.array([bgr_to_oklab(c).mean(axis=(0, 1)) for c in cells])
    cost, nearest = compute_cost_matrix(features, tileset.features, oklab, tileset.oklab_means,
                                        np.ones((ROWS, COLUMNS)))
    assignment = place_hungarian(cost, COLUMNS, ROWS)
    out = ours(tileset.tiles, cells, side, assignment.ravel(), nearest[:, :NEAREST])
    compare_with(f"{side} px, {photo.name}", out, side, gray, tileset.grays, assignment, nearest)


def compare_samples():
    shown, target, _, assignment, nearest = samples.rerank_input()
    side = samples.RERANK_SIDE
    grays = [cv2.cvtColor(np.frombuffer(t, np.uint8).reshape(side, side, 3), cv2.COLOR_RGB2GRAY)
             for t in shown]
    gray = cv2.cvtColor(np.frombuffer(target, np.uint8).reshape(ROWS * side, COLUMNS * side, 3),
                        cv2.COLOR_RGB2GRAY)
    for name, out in stored.rerank(dump):
        hashes.check(name, out)
        compare_with("sample", out, side, gray, grays,
                     np.array(assignment).reshape(ROWS, COLUMNS), np.array(nearest))


def compare_with(what, out, side, gray, grays, assignment, nearest):
    cut = cuts(side)
    theirs = ssim_rerank(assignment, grays, gray, COLUMNS, ROWS, side, nearest).ravel()
    scores, tiles = parts(out, len(cut))
    worst, ordered, sampled = 0, 0, range(0, len(cut), SAMPLE)
    for i in sampled:
        candidates = [grays[t] for t in (assignment.flat[i], *nearest[i, :NEAREST])]
        ssim = [structural_similarity(gray[cut[i]], c, data_range=255) for c in candidates]
        worst = max(worst, np.abs(ssim - scores[i]["ssim"]).max())
        ordered += same_order([_ncc(gray[cut[i]], c) for c in candidates],
                              scores[i]["correlation"])
    judge(f"{what}: SSIM", worst <= MOST_SSIM, f"at most {worst:.1e} apart")
    judge(f"{what}: order by correlation", ordered == len(sampled),
          f"the same in {ordered} of {len(sampled)} cells")
    same = 100 * (tiles == theirs).mean()
    judge(f"{what}: tiles", same >= LEAST_SAME and (theirs != assignment.ravel()).any(),
          f"{same:.2f} % the same, {100 * (theirs != assignment.ravel()).mean():.1f} % replaced")


paths = sorted(pathlib.Path(photos).glob("*.jpg"))
for number, side in enumerate((24, 40, 60)):
    compare(side, paths[number * len(paths) // 3])
hashes = samples.Hashes("rerank")
compare_samples()
if not hashes.close(not failed):
    failed.append("hashes")
if failed:
    sys.exit("too far off: " + ", ".join(failed))
