# SPDX-License-Identifier: LGPL-2.1-or-later
"""How the cost of a frame grows with its size, its cells and the tiles; how long photos load.

usage: scale.py CLIP PHOTOS WORK [PERFORMANCE PLOT]

Makes photos and raw frames in the folder WORK, unless they are there. With the names of a document
and a picture it records the tables, see page.py, and draws them.
"""
import pathlib
import subprocess
import sys
import tempfile

import growth_plot
import many_photos
import page
from compare import HERE, json_of

FRAMES, FIRST = 25, 40  # how many, and the first of them in the clip
HD = (1920, 1080)
CELLS, PHOTOS = 700, 2500  # where they do not vary; the element's default, and 10,000 tiles
SIZES = ((960, 540), (1280, 720), HD, (2560, 1440), (3840, 2160))
CELL_COUNTS = (300, CELLS, 1300, 2500, 4500, 8000)
PHOTO_COUNTS = (250, 1000, PHOTOS, 10000, 25000)


def raw_frames(clip, work, size):
    """A file of the clip's frames in that size, as I420."""
    raw = work / f"{size[0]}x{size[1]}.i420"
    if not raw.exists():
        part = raw.with_suffix(".part")
        choice = f"select='between(n,{FIRST},{FIRST + FRAMES - 1})',scale={size[0]}:{size[1]}"
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", clip, "-vf", choice, "-fps_mode",
                        "passthrough", "-pix_fmt", "yuv420p", "-f", "rawvideo", part],
                       check=True, stdin=subprocess.DEVNULL)
        part.rename(raw)
    return raw


class Bench:
    def __init__(self, clip, work, photos, cache):
        self.clip, self.work, self.photos, self.cache = clip, work, photos, cache
        self.measured = {}

    def properties(self, cells, photos):
        return [f"size={cells}", f"tile-location={self.photos[photos]}",
                f"cache-location={self.cache}"]

    def load(self, size, cells, photos):
        return json_of([HERE / "ours.py", "load", *size, *self.properties(cells, photos)])

    def draw(self, size=HD, cells=CELLS, photos=PHOTOS):
        """Figures of one point, with photos that are in the cache."""
        point = size, cells, photos
        if point not in self.measured:
            self.load(*point)
            raw = raw_frames(self.clip, self.work, size)
            self.measured[point] = json_of([HERE / "ours.py", "run", raw, "I420", *size,
                                            *self.properties(cells, photos)])
            result = self.measured[point]
            print(f"{size[0]}x{size[1]}, {result['cells']} cells, {result['tiles']} tiles: "
                  f"{result['ms']:.1f} ms a frame", file=sys.stderr, flush=True)
        return self.measured[point]


def growth(name, points):
    """A table of one series: (label, figures) each."""
    rows = [[label, f["cells"], f"{f['tiles']:,}", f"{f['ms']:.1f}",
             *(f"{f['medians'][stage]:.1f}" for stage in growth_plot.STAGES), f"{f['first_ms']:.0f}",
             f"{f['memory']:.0f}"] for label, f in points]
    return page.table([name, "cells", "tiles", "ms a frame", *growth_plot.STAGES,
                       "first frame, ms", "peak memory, MB"], rows)


def loading(loads):
    rows = []
    for number, cold, cached in loads:
        rows.append([f"{number:,}", f"{4 * number:,}", f"{cold['seconds']:.2f}",
                     f"{cached['seconds']:.3f}", f"{cold['memory']:.0f}", f"{cached['memory']:.0f}",
                     cold["messages"], f"{cold['longest_wait']:.2f}"])
    return page.table(["photos", "tiles", "cold, s", "cached, s", "peak memory cold, MB",
                       "cached, MB", "progress messages", "longest wait for one, s"], rows)


def main():
    clip, photos, work = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    root = work / "photos"
    if not root.exists():
        print("Making photos …", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, HERE / "many_photos.py", photos, root,
                        *map(str, PHOTO_COUNTS)], check=True)
    with tempfile.TemporaryDirectory(dir=work) as cache:
        bench = Bench(clip, work, many_photos.folders(root, PHOTO_COUNTS), cache)
        loads = [(number, bench.load(HD, CELLS, number), bench.load(HD, CELLS, number))
                 for number in PHOTO_COUNTS]
        by_size = [(f"{w}x{h}", bench.draw(size=(w, h))) for w, h in SIZES]
        by_cells = [(f"{cells:,}", bench.draw(cells=cells)) for cells in CELL_COUNTS]
        by_tiles = [(f"{photos:,} photos", bench.draw(photos=photos)) for photos in PHOTO_COUNTS]
    hd = f"{HD[0]}x{HD[1]}"
    text = "\n\n".join([
        page.provenance() + " Medians of 24 frames after the first, in the default look. Peak "
        "memory is the whole process's, without the source's frames.",
        f"Frames of other sizes; about {CELLS} cells:", growth("frame", by_size),
        f"More cells; frames of {hd}:", growth("size", by_cells),
        f"More tiles; frames of {hd}, about {CELLS} cells:", growth("pool", by_tiles),
        f"Loading photos of {many_photos.SIDE}x{many_photos.SIDE} pixels, for the same frames and "
        "cells. *Cold*: with an empty cache. The longest wait is the longest time between two "
        "messages:", loading(loads)])
    print(text)
    if len(sys.argv) > 4:
        page.record(sys.argv[4], "scale", text)
    if len(sys.argv) > 5:
        growth_plot.draw(sys.argv[5], page.provenance(), [
            ("pixels in a frame, millions", [w * h / 1e6 for w, h in SIZES], by_size),
            ("cells", [f["cells"] for _, f in by_cells], by_cells),
            ("tiles, thousands", [f["tiles"] / 1e3 for _, f in by_tiles], by_tiles)])


if __name__ == "__main__":
    main()
