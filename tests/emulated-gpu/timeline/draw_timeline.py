#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: draw_timeline.py TRACE PICTURE [FRAME [FRAMES]]: draws some frames of a trace of the emulated
GPU, by default four in the middle. docs/architecture.md says how to make a trace."""
import sys

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402

from gpu_trace import Trace, reranked  # noqa: E402

# More than there are frames between the decoder and the encoder.
COLOURS = ("#1f77b4", "#d55e00", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#d147a3", "#666666",
           "#8a8a00", "#0f9aa8", "#222222", "#c08000")
LETTER = 0.009  # width of a letter, as a share of the picture: text without room is put above its bar


def reasons(kernels):
    """What the host waits for in a frame, in order."""
    return ("tiles", "rerank", "push") if reranked(kernels) else ("tiles", "push")


def rows_of(trace):
    """(label, [(begin, end, frame, text)]) from top to bottom."""
    def numbered(events):
        return [(e.begin, e.end, n, str(n)) for n, e in enumerate(events)]

    kernels = [(k.begin, k.end, n, "") for n, frame in enumerate(trace.frames) for k in frame]
    waits = [(wait.begin, wait.end, n, reason)
             for n, of_frame in enumerate(trace.waits())
             for wait, reason in zip(of_frame, reasons(trace.frames[n]))]
    return [("decoder", numbered(trace.pictures("decoder"))),
            ("mosaic: kernels", kernels),
            ("mosaic: host waits", waits),
            ("encoder", numbered(trace.pictures("encoder")))]


def draw(trace, path, first, count):
    start, end = trace.starts[first], trace.starts[first + count]
    figure, axes = plt.subplots(figsize=(11, 3.8), layout="constrained")
    rows = rows_of(trace)
    for height, (_, bars) in zip(range(len(rows) - 1, -1, -1), rows):
        for begin, stop, frame, text in bars:
            begin, stop = max(begin, start), min(stop, end)
            if begin > stop:
                continue
            axes.broken_barh([(begin - start, stop - begin)], (height - 0.36, 0.72),
                             color=COLOURS[frame % len(COLOURS)], lw=0.6)
            inside = stop - begin > len(text) * LETTER * (end - start)
            if inside or start < begin < stop < end:
                axes.text((begin + stop) / 2 - start, height if inside else height + 0.37, text,
                          ha="center", va="center" if inside else "bottom",
                          color="white" if inside else "black", fontsize=9)
    for frame in range(first, first + count):
        axes.text((trace.starts[frame] + trace.frames[frame][-1].end) / 2 - start,
                  len(rows) - 2 + 0.37, f"frame {frame}", ha="center", va="bottom", fontsize=9)
    axes.set_xlim(0, end - start)
    axes.set_yticks(range(len(rows) - 1, -1, -1), [label for label, _ in rows])
    axes.set_xlabel("milliseconds on the emulated GPU, which says nothing about a real one's speed")
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    figure.savefig(path, dpi=100, metadata={"Software": None})


def main():
    trace = Trace(sys.argv[1])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 4
    first = int(sys.argv[3]) if len(sys.argv) > 3 else (len(trace.frames) - count) // 2
    draw(trace, sys.argv[2], first, count)


main()
