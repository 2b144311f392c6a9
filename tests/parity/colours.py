# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares our colour conversions of every 8-bit colour with OpenCV's: all must be equal.

usage: colours.py DUMP_COLOURS
"""
import sys

import cv2
import numpy as np

import samples
import stored

COLOURS = 1 << 24


def report(name, ours, theirs):
    """Compares two arrays with one row per colour, prints the result, and returns whether they are
    equal."""
    wrong = np.flatnonzero((ours != theirs).reshape(COLOURS, -1).any(axis=1))
    print(f"{name}: {COLOURS - wrong.size} of {COLOURS} colours equal")
    for i in wrong[:5]:
        print(f"  ({i >> 16}, {i >> 8 & 255}, {i & 255}): {ours[i]} is not OpenCV's {theirs[i]}")
    return wrong.size == 0


def main():
    hashes = samples.Hashes("colours")
    for name, dump in stored.colours(sys.argv[1]):
        hashes.check(name, dump)
    if len(dump) != 7 * COLOURS:
        sys.exit(f"{sys.argv[1]} wrote {len(dump)} bytes, not {7 * COLOURS}")
    ours = np.frombuffer(dump, np.uint8)
    values = np.arange(COLOURS, dtype=np.uint32)
    colours = np.stack([values >> 16, values >> 8 & 255, values & 255], 1).astype(np.uint8)
    image = colours.reshape(4096, 4096, 3)
    lab, grey, rgb = np.split(ours, [3 * COLOURS, 4 * COLOURS])
    equal = [
        report("RGB to Lab", lab.reshape(-1, 3),
               cv2.cvtColor(image, cv2.COLOR_RGB2LAB).reshape(-1, 3)),
        report("RGB to grey", grey, cv2.cvtColor(image, cv2.COLOR_RGB2GRAY).reshape(-1)),
        report("Lab to RGB", rgb.reshape(-1, 3),
               cv2.cvtColor(image, cv2.COLOR_LAB2RGB).reshape(-1, 3)),
    ]
    sys.exit(not (hashes.close(all(equal)) and all(equal)))


if __name__ == "__main__":
    main()
