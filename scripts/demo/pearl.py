# SPDX-License-Identifier: LGPL-2.1-or-later
"""Puts three views of a mosaic of Vermeer's girl beside each other: pearl.py IN OUT

The whole, the face, and the photos that make one of its eyes, each nearer than the one before.
"""
import sys

from PIL import Image

WIDTH, HEIGHT, GAP = 464, 546, 4  # of a view, and between two
# Of each view: its middle, and its height as a share of the mosaic's.
VIEWS = [((0.5, 0.5), 1), ((0.43, 0.42), 0.32), ((0.457, 0.396), 0.0915)]

mosaic = Image.open(sys.argv[1]).convert("RGB")
picture = Image.new("RGB", ((WIDTH + GAP) * len(VIEWS) - GAP, HEIGHT), "white")
for number, ((x, y), share) in enumerate(VIEWS):
    height = min(mosaic.height, mosaic.width * HEIGHT / WIDTH) * share
    width = height * WIDTH / HEIGHT
    left = min(max(x * mosaic.width - width / 2, 0), mosaic.width - width)
    top = min(max(y * mosaic.height - height / 2, 0), mosaic.height - height)
    view = mosaic.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS,
                         box=(left, top, left + width, top + height))
    picture.paste(view, (number * (WIDTH + GAP), 0))
picture.save(sys.argv[2], quality=87, optimize=True)
