# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures which photos a mosaic shows, and how often they change, by the element's statistics.

usage: photo_measures.py TITLE [NAME STATS]...

STATS is what gst-launch-1.0 -m prints of a mosaic with silent=false. Prints a table in Markdown, a row
for each NAME:

cells        of the grid
photos       different photos in the frame that has fewest
least, most  how often the frames show a photo at least and at most
near         cells that have another cell with the same photo within dedup-radius, in the frame with most
churn        per cent of the cells whose tile changes from frame to frame
unexplained  the same, of cells whose source does not move
gap          per cent by which an assignment may be above the optimum, in the worst frame
ms           median time for candidates and assignment
"""
import re
import statistics
import sys

COLUMNS = ("cells", "photos", "least", "most", "near", "churn", "unexplained", "gap", "ms")


def read_frame(line):
    """The statistics of a frame: numbers, and whether it is a keyframe."""
    numbers = re.findall(r"([a-z-]+)=\([a-z0-9]+\)([0-9.e+-]+)", line)
    return {name: float(number) for name, number in numbers} | {
        "keyframe": "keyframe=(boolean)true" in line}


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return [read_frame(line) for line in file if "mosaictemporal-stats" in line]


def row(frames):
    def most(name):
        return max(f[name] for f in frames)

    def least(name):
        return min(f[name] for f in frames)

    later = [f for f in frames if not f["keyframe"]]
    cells = sum(f["cells"] for f in later) or 1
    return (f"{most('cells'):.0f}", f"{least('photos-shown'):.0f}", f"{least('least-uses'):.0f}",
            f"{most('most-uses'):.0f}", f"{most('near-repeats'):.0f}",
            f"{100 * sum(f['changed'] for f in later) / cells:.2f}",
            f"{100 * sum(f['unexplained'] for f in later) / cells:.2f}", f"{100 * most('gap'):g}",
            f"{statistics.median(f['candidates'] + f['assignment'] for f in frames):.1f}")


print(f"| {sys.argv[1]} | {' | '.join(COLUMNS)} |")
print("| --- " * (1 + len(COLUMNS)) + "|")
for name, path in zip(sys.argv[2::2], sys.argv[3::2]):
    print(f"| {name} | {' | '.join(row(read(path)))} |")
