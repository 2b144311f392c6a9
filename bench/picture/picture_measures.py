# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures how well a photomosaic shows its source, how much of its photos is left, and its flicker.

usage: picture_measures.py TITLE WIDTH HEIGHT SIDE SOURCE NAME FRAMES BARE [NAME FRAMES BARE]...

SOURCE, FRAMES and BARE are files of packed BGR with the same frames; BARE shows the tiles of FRAMES
without colour transfer, blending and finishing. Prints a table in Markdown, a row for each NAME:

colour       distance of a cell's mean colour from the source's, in Oklab x 100
colour_dark  the same for cells whose source has a mean level below 60; - if no measured frame has
             more than 10 of them
ssim_far     structural similarity as from a distance: of both pictures reduced to 4 x 4 pixels a cell
contrast     visible contrast of the photos, the mean over cells: standard deviation of L*, times the
             correlation of the cell's L* with the bare tile's (negative ones count as 0)
source_fine  per cent of the energy of detail finer than a quarter of a cell that comes from the
             source, by a least-squares fit to the fine detail of the bare tile and of the source
flicker      mean change of luma from frame to frame, in cells whose source's mean colour changed by
             less than 2 levels
"""
import sys

import cv2
import numpy as np
from skimage.metrics import structural_similarity

STEP = 6  # measures of single frames use every sixth frame, flicker all
DARK = 60
# The columns of the table, with their decimals.
DECIMALS = {"colour": 2, "colour_dark": 2, "ssim_far": 3, "contrast": 2, "source_fine": 2,
            "flicker": 2}
TO_LMS = np.array([[0.4122214708, 0.5363325363, 0.0514459929],
                   [0.2119034982, 0.6806995451, 0.1073969566],
                   [0.0883024619, 0.2817188376, 0.6299787005]])
TO_OKLAB = np.array([[0.2104542553, 0.7936177850, -0.0040720468],
                     [1.9779984951, -2.4285922050, 0.4505937099],
                     [0.0259040371, 0.7827717662, -0.8086757660]])


def oklab(bgr):
    s = bgr[..., ::-1] / 255
    linear = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)
    return np.cbrt(linear @ TO_LMS.T) @ TO_OKLAB.T


def cells(picture, side):
    rows, columns = picture.shape[0] // side, picture.shape[1] // side
    cut = picture[:rows * side, :columns * side].reshape(rows, side, columns, side, -1)
    return cut.transpose(0, 2, 1, 3, 4).reshape(rows * columns, side, side, -1)


def lightness(bgr):
    return cv2.cvtColor(bgr.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[..., 0]


def fine_detail(light, side):
    rows, columns = light.shape[0] // side, light.shape[1] // side
    light = light[:rows * side, :columns * side]
    coarse = cv2.resize(light, (columns * 4, rows * 4), interpolation=cv2.INTER_AREA)
    return (light - cv2.resize(coarse, light.shape[::-1], interpolation=cv2.INTER_NEAREST)).ravel()


def share_of_source(source, picture, bare, side):
    s, p, b = (fine_detail(lightness(x), side) for x in (source, picture, bare))
    of_bare, of_source = np.linalg.solve(np.array([[b @ b, b @ s], [b @ s, s @ s]]),
                                         np.array([b @ p, s @ p]))
    from_bare, from_source = of_bare ** 2 * (b @ b), of_source ** 2 * (s @ s)
    return 100 * from_source / (from_bare + from_source)


def photo_contrast(picture, bare, side):
    p, b = (cells(lightness(x), side)[..., 0] for x in (picture, bare))
    p, b = (x - x.mean((1, 2), keepdims=True) for x in (p, b))
    spread_p, spread_b = (np.sqrt((x * x).mean((1, 2))) for x in (p, b))
    correlation = (p * b).mean((1, 2)) / (spread_p * spread_b + 1e-3)
    return (np.maximum(correlation, 0) * spread_p).mean()


def ssim_far(source, picture, side):
    small = max(16, 4 * (source.shape[1] // side)), max(16, 4 * (source.shape[0] // side))
    shrunk = [cv2.resize(cv2.cvtColor(x, cv2.COLOR_BGR2GRAY), small, interpolation=cv2.INTER_AREA)
              for x in (source, picture)]
    return structural_similarity(*shrunk, data_range=255)


def frame_measures(source, picture, bare, side):
    means = [cells(x, side).mean((1, 2)) for x in (source, picture)]
    error = 100 * np.linalg.norm(oklab(means[0]) - oklab(means[1]), axis=1)
    dark = means[0].mean(1) < DARK
    return {"colour": error.mean(),
            "colour_dark": error[dark].mean() if dark.sum() > 10 else np.nan,
            "ssim_far": ssim_far(source, picture, side),
            "contrast": photo_contrast(picture, bare, side),
            "source_fine": share_of_source(source, picture, bare, side)}


def flicker(sources, pictures, side):
    changes = []
    mean = luma = None
    for source, picture in zip(sources, pictures):
        mean_before, luma_before = mean, luma
        mean = cells(source, side).mean((1, 2))
        luma = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.int16)
        if luma_before is None:
            continue
        still = np.abs(mean - mean_before).mean(1) < 2
        if still.any():
            change = np.abs(luma - luma_before).astype(np.float32)
            changes.append(cells(change, side).mean((1, 2, 3))[still].mean())
    return float(np.mean(changes)) if changes else float("nan")


def main():
    title = sys.argv[1]
    width, height, side = map(int, sys.argv[2:5])

    def frames(path):
        return np.memmap(path, np.uint8, "r").reshape(-1, height, width, 3)

    source = frames(sys.argv[5])
    rest = sys.argv[6:]
    print(f"| {title} | {' | '.join(DECIMALS)} |")
    print("| --- " * (1 + len(DECIMALS)) + "|", flush=True)
    for name, pictures, bare in zip(rest[::3], map(frames, rest[1::3]), map(frames, rest[2::3])):
        rows = [frame_measures(source[i], pictures[i], bare[i], side)
                for i in range(0, min(map(len, (source, pictures, bare))), STEP)]
        result = {k: float(np.nanmean([r[k] for r in rows])) for k in rows[0]}
        result["flicker"] = flicker(source, pictures, side)
        shown = ("-" if np.isnan(result[k]) else f"{result[k]:.{n}f}" for k, n in DECIMALS.items())
        print(f"| {name} | {' | '.join(shown)} |", flush=True)


main()
