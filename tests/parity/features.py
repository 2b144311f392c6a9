# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares our features of tiles with mosaicraft's, which may differ by one fixed-point step, and
their mean Oklab colours with the definition in double precision.

usage: features.py DUMP_FEATURES [FOLDER OF PHOTOS]

The tiles are noise, flat colours, gradients, edges, checkerboards and, if there are any, photos.
"""
import importlib.util
import pathlib
import subprocess
import sys

import cv2
import numpy as np

import arctangent  # noqa: F401
import samples
import stored

STEP = 64  # fixed point: features are whole multiples of 1 / STEP
FEATURES = 191
OKLAB_STEP = 65536
OKLAB_TOLERANCE = 2
# Björn Ottosson, "A perceptual color space for image processing" (2020).
OKLAB_LMS = np.array([[0.4122214708, 0.5363325363, 0.0514459929],
                      [0.2119034982, 0.6806995451, 0.1073969566],
                      [0.0883024619, 0.2817188376, 0.6299787005]])
OKLAB_LAB = np.array([[0.2104542553, 0.7936177850, -0.0040720468],
                      [1.9779984951, -2.4285922050, 0.4505937099],
                      [0.0259040371, 0.7827717662, -0.8086757660]])
RECORD = np.dtype([("features", "<i2", FEATURES), ("oklab", "<i4", 3)])


def reference_extractor():
    """mosaicraft's extract_features, without loading the rest of the package and its dependencies."""
    package = importlib.util.find_spec("mosaicraft").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("features_of_mosaicraft",
                                                  pathlib.Path(package) / "features.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.extract_features


def mean_oklab(tile):
    """Mean Oklab of an 8-bit sRGB tile."""
    s = tile / 255.0
    linear = np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)
    return (np.cbrt(linear @ OKLAB_LMS.T) @ OKLAB_LAB.T).mean(axis=(0, 1))


def drawn_tiles(side):
    """Tiles that reach every branch in the code of the features, as RGB arrays with their names."""
    random = np.random.default_rng(side)
    y, x = np.mgrid[0:side, 0:side]
    for i in range(40):
        yield f"noise {i}", random.integers(0, 256, (side, side, 3))
    for i in range(40):
        low = random.integers(0, 256, (5, 5, 3)).astype(np.uint8)
        yield f"soft noise {i}", cv2.resize(low, (side, side), interpolation=cv2.INTER_CUBIC)
    for value in (0, 1, 127, 128, 254, 255):
        yield f"flat {value}", np.full((side, side, 3), value)
    for i, colour in enumerate(np.eye(3) * 255):
        yield f"pure {i}", np.broadcast_to(colour, (side, side, 3))
    for angle in range(0, 360, 15):
        turn = np.deg2rad(angle)
        ramp = (np.cos(turn) * (x - side / 2) + np.sin(turn) * (y - side / 2)) / side
        grey = np.clip(128 + 180 * ramp, 0, 255)[..., None]
        yield f"gradient {angle}", np.broadcast_to(grey, (side, side, 3))
        yield f"edge {angle}", np.where(ramp[..., None] > 0, [250, 120, 10], [5, 40, 200])
    for period in (1, 2, 3, 7):
        yield f"checks {period}", np.repeat(((x // period + y // period) % 2 * 255)[..., None], 3, 2)


def photo_tiles(side, folder):
    """Every 7th photo of a folder, shrunk to tiles."""
    for path in sorted(pathlib.Path(folder).glob("*.jpg"))[::7]:
        photo = cv2.imread(str(path))
        if photo is not None:
            small = cv2.resize(photo, (side, side), interpolation=cv2.INTER_AREA)
            yield path.name, cv2.cvtColor(small, cv2.COLOR_BGR2RGB)


def compare(dump_features, side, extract, folder):
    """Compares all tiles with one side length; returns whether all are within one step."""
    names, tiles = zip(*[(n, np.ascontiguousarray(t, np.uint8)) for n, t in
                         [*drawn_tiles(side), *(photo_tiles(side, folder) if folder else ())]])
    planar = np.stack(tiles).transpose(0, 3, 1, 2).tobytes()
    out = subprocess.run([dump_features, str(side)], input=planar, stdout=subprocess.PIPE,
                         check=True).stdout
    return judge(out, names, tiles, side, extract)


def compare_samples(side, extract, name, out, hashes):
    """Like compare(), for the pictures whose hashes are stored."""
    tiles = [np.frombuffer(t, np.uint8).reshape(side, side, 3) for t in samples.tiles(side, 48)]
    hashes.check(name, out)
    return judge(out, [f"sample {i}" for i in range(len(tiles))], tiles, side, extract)


def judge(out, names, tiles, side, extract):
    ours = np.frombuffer(out, RECORD)
    if len(ours) != len(tiles):
        sys.exit(f"{len(ours)} of {len(tiles)} tiles were described")
    theirs = np.array([extract(cv2.cvtColor(t, cv2.COLOR_RGB2LAB).astype(np.float32), side)
                       for t in tiles])
    steps = np.abs(ours["features"] - theirs * STEP)
    worst = np.unravel_index(steps.argmax(), steps.shape)
    wrong = np.argwhere(steps > 1)
    print(f"{side} px: {len(tiles)} tiles, {steps.size - len(wrong)} of {steps.size} features "
          f"within a step; worst {steps.max():.3f} steps ({names[worst[0]]}, feature {worst[1]})")
    for tile, feature in wrong[:5]:
        print(f"  {names[tile]}, feature {feature}: {ours['features'][tile, feature] / STEP:.4f} "
              f"is not {theirs[tile, feature]:.4f}")
    oklab = np.abs(ours["oklab"] - np.array([mean_oklab(t) for t in tiles]) * OKLAB_STEP)
    print(f"  mean Oklab: worst {oklab.max():.2f} steps of 1/{OKLAB_STEP} "
          f"({names[oklab.max(axis=1).argmax()]})")
    return not len(wrong) and oklab.max() <= OKLAB_TOLERANCE


def main():
    extract = reference_extractor()
    folder = sys.argv[2] if len(sys.argv) > 2 else None
    within = [compare(sys.argv[1], side, extract, folder) for side in (24, 40, 60)]
    hashes = samples.Hashes("features")
    for side, (name, out) in zip(samples.SIDES, stored.features(sys.argv[1])):
        within.append(compare_samples(side, extract, name, out, hashes))
    sys.exit(not (hashes.close(all(within)) and all(within)))


if __name__ == "__main__":
    main()
