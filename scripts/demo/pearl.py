# SPDX-License-Identifier: LGPL-2.1-or-later
"""Puts three views of a mosaic of Vermeer's girl beside each other: pearl.py IN OUT

The whole, the face, and the photos that make one of its eyes, each nearer than the one before. In the first
two a frame shows what the next one shows.
"""
import sys

from PIL import Image, ImageDraw

WIDTH, HEIGHT, GAP = 464, 546, 4  # of a view, and between two
FRAME = ((1, "black"), (2, "white"), (1, "black"))  # its lines from outside to inside: widths and colours
# Of each view: its middle, and its height as a share of the mosaic's.
VIEWS = [((0.5, 0.5), 1), ((0.43, 0.42), 0.32), ((0.457, 0.396), 0.0915)]

mosaic = Image.open(sys.argv[1]).convert("RGB")
picture = Image.new("RGB", ((WIDTH + GAP) * len(VIEWS) - GAP, HEIGHT), "white")


def box_of(place):
    """The part of the mosaic that a view shows: left, top, right, bottom."""
    (x, y), share = place
    height = min(mosaic.height, mosaic.width * HEIGHT / WIDTH) * share
    width = height * WIDTH / HEIGHT
    left = min(max(x * mosaic.width - width / 2, 0), mosaic.width - width)
    top = min(max(y * mosaic.height - height / 2, 0), mosaic.height - height)
    return left, top, left + width, top + height


def draw_frame(view, outer, inner):
    """Draws where the part `inner` of the mosaic is in a view of the part `outer`."""
    scale = WIDTH / (outer[2] - outer[0])
    left, top, right, bottom = ((v - outer[i % 2]) * scale for i, v in enumerate(inner))
    drawing = ImageDraw.Draw(view)
    for width, colour in FRAME:
        drawing.rectangle((round(left), round(top), round(right), round(bottom)), outline=colour, width=width)
        left, top, right, bottom = left + width, top + width, right - width, bottom - width


boxes = [box_of(place) for place in VIEWS]
for number, box in enumerate(boxes):
    view = mosaic.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS, box=box)
    for inner in boxes[number + 1:number + 2]:
        draw_frame(view, box, inner)
    picture.paste(view, (number * (WIDTH + GAP), 0))
picture.save(sys.argv[2], quality=87, optimize=True)
