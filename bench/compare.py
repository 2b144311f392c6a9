# SPDX-License-Identifier: LGPL-2.1-or-later
"""mosaictemporal and photomosaic-video side by side, on the same frames in memory, taking turns.

usage: compare.py RAW CLIP PHOTOS WIDTH HEIGHT SIDE PAIRS [README PERFORMANCE]

RAW holds frames of CLIP as packed BGR. Neither side decodes or encodes. GStreamer must find our
plugin. With the names of two documents, the tables are recorded there; see page.py.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import page
from ours import STAGES

HERE = pathlib.Path(__file__).resolve().parent


def json_of(command, environment=None):
    """The last line that a command prints; ends this program when the command fails."""
    done = subprocess.run([sys.executable, *map(str, command)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, env={**os.environ, **(environment or {})})
    if done.returncode:
        errors = (done.stderr or "no message").strip().splitlines()
        sys.exit(f"{command[0]} failed: {errors[-1]}")
    return json.loads(done.stdout.splitlines()[-1])


class Ours:
    def __init__(self, photos, side, cache):
        self.properties = [f"tile-location={photos}", f"tile-size={side}",
                           f"cache-location={cache}"]

    def load(self, width, height):
        return json_of([HERE / "ours.py", "load", width, height, *self.properties])["seconds"]

    def run(self, raw, width, height, profile):
        return json_of([HERE / "ours.py", "run", raw, "BGR", width, height, *self.properties,
                        f"profile-name={profile}"])


class Theirs:
    def __init__(self, cache):
        self.cache = cache

    def call(self, *arguments):
        return json_of([HERE.parent / "scripts" / "lib" / "in_venv.py", HERE / "requirements.txt",
                        HERE / "peer.py", *arguments], {"XDG_CACHE_HOME": self.cache})


class Pairs:
    """Runs of both programs in turns: ours with one profile, theirs with as much as it stands
    beside."""

    def __init__(self, title, profile, other):
        self.title, self.profile, self.other = title, profile, other
        self.ours, self.others = [], []

    def run(self, ours, theirs, raw, clip, photos, size):
        self.ours.append(ours.run(raw, size[0], size[1], self.profile))
        self.others.append(theirs.call(self.other, raw, clip, photos, *size))
        print(f"{self.title}: {self.ours[-1]['fps']:.2f} and {self.others[-1]['fps']:.2f} frames/s",
              file=sys.stderr, flush=True)
        if any(self.ours[-1][name] != self.others[-1][name] for name in ("frames", "cells")):
            sys.exit("the two did not do the same work: frames or cells differ")

    def medians(self, name):
        return [statistics.median(r[name] for r in runs) for runs in (self.ours, self.others)]

    def ratios(self):
        """Times as many frames a second: the median of the pairs, the least, the most."""
        ratios = [a["fps"] / b["fps"] for a, b in zip(self.ours, self.others)]
        return statistics.median(ratios), min(ratios), max(ratios)


def comparison(default, plain):
    """The table for the README."""
    rows = []
    measures = (("fps", 2), ("ms", 1), ("changed", 2), ("unexplained", 2), ("memory", 0))
    for pairs, names in ((default, ("mosaictemporal", "photomosaic-video")),
                         (plain, ("mosaictemporal, `plain`",
                                  "photomosaic-video, assignment alone"))):
        for side, name in enumerate(names):
            rows.append([name, *(f"{pairs.medians(measure)[side]:.{digits}f}"
                                 for measure, digits in measures)])
    return page.table(["", "frames/s", "ms a frame", "tiles that change, %",
                       "without visible reason, %", "peak memory, MB"], rows)


def stages(default, plain):
    def row(title, value):
        columns = [statistics.median(map(value, pairs.ours)) for pairs in (default, plain)]
        return [title, *(f"{c:.2f}" for c in columns)]

    rows = [row(stage, lambda r, stage=stage: r["means"][stage]) for stage in STAGES]
    rows.append(row("all", lambda r: sum(r["means"].values())))
    return page.table(["stage", "default, ms", "`plain`, ms"], rows)


def main():
    raw, clip, photos = sys.argv[1:4]
    size = list(map(int, sys.argv[4:7]))
    count, documents = int(sys.argv[7]), sys.argv[8:10]
    default, plain = Pairs("default look", "vivid_b", "run"), Pairs("plain", "plain", "assign")
    with tempfile.TemporaryDirectory() as ours_cache, tempfile.TemporaryDirectory() as their_cache:
        ours, theirs = Ours(photos, size[2], ours_cache), Theirs(their_cache)

        def load():
            return ours.load(*size[:2]), theirs.call("load", photos, size[2])["seconds"]

        cold, cached = load(), [load() for _ in range(count)]
        for _ in range(count):
            for pairs in (default, plain):
                pairs.run(ours, theirs, raw, clip, photos, size)
    loading = page.table(["loading the photos", "mosaictemporal, s", "photomosaic-video, s"], [
        ["with an empty cache", *(f"{s:.3f}" for s in cold)],
        ["from the cache", *(f"{statistics.median(s):.3f}" for s in zip(*cached))]])
    first = default.ours[0]
    about = (f"{page.provenance()} {first['frames']} frames of {size[0]}x{size[1]}, "
             f"{first['cells']} cells, {first['tiles']} tiles; medians of {count} pairs of runs.")
    ratios = ("The element's default look, `vivid_b`, gives {:.1f} times as many frames a second as the "
              "other program's whole chain (pairs: {:.1f} to {:.1f}); `plain`, drawing included, {:.1f} times as "
              "many as its assignment alone, which draws nothing ({:.1f} to {:.1f}).")
    ratios = ratios.format(*default.ratios(), *plain.ratios())
    short = "\n\n".join([about, comparison(default, plain), ratios])
    full = "\n\n".join([short, loading, stages(default, plain)])
    print(f"\n{full}")
    if documents:
        page.record(documents[0], "bench", short)
        page.record(documents[1], "bench", full)


if __name__ == "__main__":
    main()
