# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs photomosaic-video on raw frames, as its own command does but without decoder and encoder.

usage: peer.py load PHOTOS SIDE                       prints the seconds that loading the pool took
       peer.py run RAW CLIP PHOTOS WIDTH HEIGHT SIDE  prints figures of a clip as a line of JSON
       peer.py assign RAW CLIP PHOTOS WIDTH HEIGHT SIDE  the same, but it only chooses the tiles:
                                       it neither draws them nor runs the colour pass
       peer.py draw RAW CLIP PHOTOS WIDTH HEIGHT SIDE FIRST FINISHED BARE
                                       writes its finished frames, and its tiles without any colour
                                       transfer, blending and finishing, both as packed BGR; RAW
                                       begins with frame FIRST of CLIP

RAW holds the frames of CLIP as packed BGR; they are in memory before the clock starts. CLIP itself is
only scanned for scene cuts, before the clock too. The colour pass of a frame runs beside the next
frame's placement, as in the program itself.
"""
import concurrent.futures
import json
import pathlib
import resource
import sys
import time

import numpy as np
from photomosaic_video import mosaic, postprocess, temporal, video


def load(photos, side):
    start = time.perf_counter()
    mosaic.load_pool([pathlib.Path(photos)], side)
    return time.perf_counter() - start


class Clip:
    """Draws frames one after another and keeps what the figures need."""

    def __init__(self, photos, width, side, cuts, drawn=True):
        self.drawn = drawn
        if not drawn:
            mosaic.paste_cells = lambda *arguments: None
        self.pool = mosaic.load_pool([pathlib.Path(photos)], side)
        self.columns, self.side, self.cuts = width // side, side, cuts
        self.state = temporal.TemporalState()
        self.colour_pass = concurrent.futures.ThreadPoolExecutor(1)
        self.pending = self.finished = self.statistics = self.tables = None
        self.tiles = []

    def draw(self, index, frame):
        cut = index == 0 or index in self.cuts
        self.state.is_keyframe = cut
        drawn, _, changed = mosaic.render_frame(frame, self.pool, self.side, self.state)
        self.tiles.append(np.array(self.state.assignment))
        if not self.drawn:
            return
        if cut:
            self.statistics = postprocess.capture_stats(drawn)
            self.tables = postprocess.build_luts(self.statistics)
        self.finish()
        if changed is None or len(changed):
            box = None if changed is None else mosaic.cell_box(changed, self.columns, self.side)
            self.pending = self.colour_pass.submit(postprocess.postprocess, drawn.copy(),
                                                   self.statistics, self.tables, self.finished, box)

    def finish(self):
        """Waits for the colour pass of the frame before."""
        if self.pending is not None:
            self.finished, self.pending = self.pending.result(), None


def cell_means(frame, side):
    height, width, _ = frame.shape
    cells = frame.reshape(height // side, side, width // side, side, 3)
    return cells.mean(axis=(1, 3)).reshape(-1, 3)


def peak_memory():
    """The most memory that this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(raw, path, photos, width, height, side, drawn):
    frames = np.fromfile(raw, np.uint8).reshape(-1, height, width, 3)
    cuts = video.find_cuts(path, video.probe(path).fps)
    clip = Clip(photos, width, side, cuts, drawn)
    times = []
    for index, frame in enumerate(frames):
        clip.draw(index, frame)
        times.append(time.perf_counter())
    clip.finish()
    fps = (len(frames) - 1) / (time.perf_counter() - times[0])
    memory = peak_memory() - frames.nbytes / 2**20
    changed, unexplained = [], []
    means = [cell_means(frame, side) for frame in frames]
    for i in range(1, len(frames)):
        if i not in cuts:
            moved = clip.tiles[i] != clip.tiles[i - 1]
            still = np.abs(means[i] - means[i - 1]).mean(axis=1) < 2
            changed.append(moved.mean())
            unexplained.append((moved & still).mean())
    return {"frames": len(frames), "cells": len(clip.tiles[0]), "fps": fps,
            "memory": memory, "ms": 1e3 * float(np.median(np.diff(times))),
            "changed": 100 * float(np.mean(changed)),
            "unexplained": 100 * float(np.mean(unexplained))}


def draw(raw, path, photos, width, height, side, first, finished, bare):
    frames = np.fromfile(raw, np.uint8).reshape(-1, height, width, 3)
    cuts = {cut - first for cut in video.find_cuts(path, video.probe(path).fps)}
    clip = Clip(photos, width, side, cuts)
    rows = height // side
    with open(finished, "wb") as out, open(bare, "wb") as out_bare:
        for index, frame in enumerate(frames):
            clip.draw(index, frame)
            clip.finish()
            out.write(clip.finished.tobytes())
            tiles = clip.pool.tiles[clip.tiles[-1]].reshape(rows, width // side, side, side, 3)
            out_bare.write(tiles.transpose(0, 2, 1, 3, 4).tobytes())


if __name__ == "__main__":
    if sys.argv[1] == "draw":
        draw(*sys.argv[2:5], *map(int, sys.argv[5:9]), *sys.argv[9:11])
    elif sys.argv[1] == "load":
        print(json.dumps({"seconds": load(sys.argv[2], int(sys.argv[3]))}))
    else:
        drawn = sys.argv[1] == "run"
        print(json.dumps(run(*sys.argv[2:5], *map(int, sys.argv[5:8]), drawn)))
