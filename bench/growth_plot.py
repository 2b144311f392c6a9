# SPDX-License-Identifier: LGPL-2.1-or-later
"""The plot of docs/performance.md: time and memory of a frame against what makes them grow."""
import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator  # noqa: E402

STAGES = ("analysis", "candidates", "assignment", "drawing", "finishing")
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
TICKS = [factor * 10.0 ** power for power in range(-2, 6) for factor in (1, 2, 5)]


def plain(value, _):
    return f"{value:,.10g}"


def ticks(axis, values):
    """Labels at 1, 2 and 5 times powers of ten, written out."""
    low, high = min(values), max(values)
    axis.set_major_locator(matplotlib.ticker.FixedLocator(
        [t for t in TICKS if low / 1.6 <= t <= high * 1.6]))
    axis.set_major_formatter(FuncFormatter(plain))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def proportional(axes, xs, ys):
    """A line of growth in proportion, through the last point."""
    axes.plot([xs[0], xs[-1]], [ys[-1] * xs[0] / xs[-1], ys[-1]], color="0.6", ls=":", lw=1.2,
              label="in proportion")


def draw(path, title, series):
    """@param series: (label of the axis, values on it, [(label, figures)]) for each column"""
    figure, axes = plt.subplots(2, len(series), figsize=(12, 7.2), sharey="row",
                                layout="constrained")
    times, memories = [], []
    for (label, xs, points), top, bottom in zip(series, axes[0], axes[1]):
        ms = [f["ms"] for _, f in points]
        memory = [f["memory"] for _, f in points]
        proportional(top, xs, ms)
        proportional(bottom, xs, memory)
        for stage, colour in zip(STAGES, COLOURS):
            values = [f["medians"][stage] for _, f in points]
            top.plot(xs, values, color=colour, marker="o", ms=3, lw=1.2, label=stage)
            times += values
        top.plot(xs, ms, color="black", marker="o", ms=5, lw=2.2, label="whole frame")
        bottom.plot(xs, memory, color="black", marker="o", ms=5, lw=2.2, label="peak memory")
        times += ms
        memories += memory
        for panel in (top, bottom):
            panel.set_xscale("log")
            panel.set_yscale("log")
            panel.grid(color="0.9")
            panel.set_xlabel(label)
            ticks(panel.xaxis, xs)
    lowest = max(min(times), 0.1)
    axes[0][0].set_ylim(lowest / 1.3, max(times) * 1.3)
    axes[1][0].set_ylim(min(memories) / 1.5, max(memories) * 1.3)
    ticks(axes[0][0].yaxis, [lowest, max(times)])
    ticks(axes[1][0].yaxis, memories)
    axes[0][0].set_ylabel("milliseconds a frame")
    axes[1][0].set_ylabel("peak memory, MB")
    handles, labels = axes[0][-1].get_legend_handles_labels()
    figure.legend(handles[::-1], labels[::-1], loc="lower center", ncol=len(handles), frameon=False)
    figure.suptitle(title, fontsize=10, color="0.3")
    figure.get_layout_engine().set(rect=(0, 0.06, 1, 0.94))  # room for the legend
    figure.savefig(path, dpi=100, metadata={"Software": None})
