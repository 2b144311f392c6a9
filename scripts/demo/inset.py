# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws an enlarged part of a picture into its corner: inset.py IN OUT LEFT TOP WIDTH HEIGHT.

The picture is reduced to 1280 pixels' width. The part, in pixels of IN, fills three eighths of that
at the lower right, and a frame shows where it comes from.
"""
import sys

from PIL import Image, ImageDraw

WIDTH, MARGIN, LINE = 1280, 16, 3

picture = Image.open(sys.argv[1]).convert("RGB")
left, top, width, height = map(int, sys.argv[3:])
scale = WIDTH / picture.width
whole = picture.resize((WIDTH, round(picture.height * scale)), Image.Resampling.LANCZOS)
inset_size = WIDTH * 3 // 8, WIDTH * 3 // 8 * height // width
inset = picture.crop((left, top, left + width, top + height))
inset = inset.resize(inset_size, Image.Resampling.LANCZOS)
at = whole.width - inset.width - MARGIN, whole.height - inset.height - MARGIN
whole.paste(inset, at)
draw = ImageDraw.Draw(whole)
for x, y, w, h in [(*at, *inset_size),
                   tuple(round(v * scale) for v in (left, top, width, height))]:
    draw.rectangle((x - LINE, y - LINE, x + w + LINE - 1, y + h + LINE - 1), outline="white",
                   width=LINE)
whole.save(sys.argv[2])
