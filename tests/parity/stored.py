# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares our results for the samples with stored hashes of results that passed the live comparison
with mosaicraft and OpenCV.

usage: stored.py SCRIPT DUMPER...

SCRIPT is the live comparison that stored the hashes, for example `features`; see samples.py. Needs
only Python.
"""
import os
import shlex
import subprocess
import sys
import tempfile

import samples

# Set by meson if the programs are for another processor: what runs them.
WRAPPER = shlex.split(os.environ.get("MESON_EXE_WRAPPER", ""))


def run(command, data=b""):
    return subprocess.run([*WRAPPER, *map(str, command)], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def colours(dump):
    yield "colours", run([dump])


def features(dump):
    for side in samples.SIDES:
        tiles = samples.tiles(side, 48)
        yield f"{side} px", run([dump, side], b"".join(map(samples.planar, tiles)))


def hues(dump):
    tiles = b"".join(samples.tiles(samples.HUE_SIDE, 16))
    for augment, count in samples.HUES:
        yield f"augment {augment}, {count} hues", run([dump, samples.HUE_SIDE, augment, count], tiles)


def saliency(dump, with_weights=False):
    for side in samples.SIDES:
        out = run([dump, 480, 240, side], samples.scene(1, 480, 240))
        yield f"{side} px", out if with_weights else counts(out)


def counts(out):
    """The output without the weights, which are in double precision: mathematical libraries differ."""
    return b"".join(out[i:i + 12] for i in range(0, len(out), 20))


def looks(dump):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        tiles = samples.tiles(samples.TRANSFER_SIDE, 2 * samples.TRANSFER_PAIRS)
        for method in samples.TRANSFERS:
            file.seek(0)
            file.truncate()
            file.write(f'color_transfer = "{method}"\nreinhard_l = 0.5\nreinhard_ab = 0.35\n')
            file.flush()
            yield f"transfer {method}", run(
                [dump, "transfer", file.name, samples.TRANSFER_SIDE, samples.TRANSFER_PAIRS],
                b"".join(tiles))
    picture = samples.grained(2, samples.grained(1, samples.scene(2, 480, 240)))
    for levels in samples.SEAM_LEVELS:
        yield f"seams {levels}", run([dump, "seams", 40, levels, 480, 240], picture)
    for profile in samples.PROFILES:
        yield f"finishing {profile}", run([dump, "finish", profile, 480, 240], picture)


def rerank(dump):
    shown, _, cells, assignment, nearest = samples.rerank_input()
    data = (b"".join(map(samples.planar, shown + cells)) + samples.int32(assignment)
            + samples.int32([t for row in nearest for t in row]))
    yield "rerank", run([dump, samples.RERANK_SIDE, samples.RERANK_COLUMNS, samples.RERANK_ROWS,
                         samples.RERANK_TILES], data)


def flow(dump):
    with tempfile.TemporaryDirectory() as folder:
        for seed, (width, height), iterations in samples.flows():
            yield f"weights {seed}, {width}x{height}, {iterations} updates", run(
                [dump, samples.flow_weights(folder, seed), width, height, iterations],
                b"".join(samples.moving_frames(width, height)))


def gate(dump_mosaic, dump_luma):
    width, height = samples.GATE_SIZE
    frame = samples.grained(4, samples.scene(4, width, height))
    cells = (width // samples.GATE_SIDE) * (height // samples.GATE_SIDE)
    with tempfile.TemporaryDirectory() as photos:
        samples.write_photos(photos)
        arguments = [photos, samples.GATE_SIDE, width, height]
        # mosaicraft's tiles are not known here: zeros stand for them, and their mosaic is not used.
        out = run([dump_mosaic, *arguments, *samples.PROFILES],
                  frame + samples.int32([0] * cells) * len(samples.PROFILES))
        size = 8 * cells + 2 * len(frame)
        for i, profile in enumerate(samples.PROFILES):
            yield profile, out[i * size:i * size + 8 * cells + len(frame)]
        yield "luma", run([dump_luma, *arguments, "vivid_b"], frame)


def main():
    script, dumpers = sys.argv[1], sys.argv[2:]
    hashes = samples.Hashes(script)
    for name, output in globals()[script](*dumpers):
        hashes.check(name, output)
    print(f"{len(hashes.seen)} hashes")
    sys.exit(not hashes.close())


if __name__ == "__main__":
    main()
