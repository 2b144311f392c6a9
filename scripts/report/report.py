# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes one HTML page about the mosaic of a clip: statistics of each frame, where tiles changed,
which photos were used, and sample frames. The page needs no other file.

usage: report.py CLIP PAGE [PROPERTY=VALUE...]

PROPERTY is a property of mosaictemporal. Runs with the distribution's Python, which has GStreamer's
bindings, numpy, matplotlib and Pillow.
"""
import base64
import html
import io
import pathlib
import statistics
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402, F401
import matplotlib  # noqa: E402

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import PIL.Image  # noqa: E402

PIPELINE = """filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=RGB ! tee name=t
  t. ! queue max-size-buffers=0 max-size-bytes=0 max-size-time=0 ! appsink name=before sync=false max-buffers=2
  t. ! queue ! mosaictemporal name=mosaic silent=false ! appsink name=after sync=false max-buffers=2"""
MOST_PICTURES = 10
WIDTH = 640  # of a picture on the page, pixels
STAGES = ("unpack", "scene", "analysis", "candidates", "assignment", "drawing", "finishing", "pack")


class Pictures:
    """Some frames of a clip whose length is not known: spread evenly, and the most changed one."""

    def __init__(self):
        self.kept, self.step = {}, 1
        self.most, self.most_changed = None, -1

    def offer(self, number, before, after, changed):
        if number % self.step == 0:
            self.kept[number] = (shrink(before), shrink(after))
            if len(self.kept) > MOST_PICTURES:
                self.step *= 2
                self.kept = {n: p for n, p in self.kept.items() if n % self.step == 0}
        if changed > self.most_changed:
            self.most, self.most_changed = (number, shrink(before), shrink(after)), changed

    def all(self):
        pictures = dict(self.kept)
        if self.most:
            pictures[self.most[0]] = self.most[1:]
        return sorted(pictures.items())


def picture_of(sample):
    """The picture of a GstSample, [height, width, 3]."""
    caps = sample.get_caps().get_structure(0)
    width, height = caps.get_value("width"), caps.get_value("height")
    data = sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())
    stride = (3 * width + 3) // 4 * 4
    rows = np.frombuffer(data, np.uint8)[:stride * height].reshape(height, stride)
    return rows[:, :3 * width].reshape(height, width, 3)


def shrink(picture):
    height, width = picture.shape[:2]
    size = (WIDTH, max(1, round(WIDTH * height / width)))
    return PIL.Image.fromarray(picture).resize(size, PIL.Image.LANCZOS)


def cells_of(buffer, name):
    """[row, column]: a field of the meta for each cell; None if the buffer has no meta."""
    meta = buffer.get_custom_meta("GstMosaicTemporalMeta")
    if not meta:
        return None
    fields = meta.get_structure()
    shape = fields.get_uint("rows").value, fields.get_uint("columns").value
    return np.frombuffer(fields.get_value(name).get_data(), np.int32).reshape(shape)


class Run:
    """One run of the element over a clip, and what it reports about each frame."""

    def __init__(self, clip, properties):
        self.messages, self.pictures = [], Pictures()
        self.changes = self.uses = self.tiles = None
        self.photos = []
        self.pipeline = Gst.parse_launch(PIPELINE)
        self.mosaic = self.pipeline.get_by_name("mosaic")
        self.pipeline.get_by_name("file").set_property("location", clip)
        for each in properties:
            name, _, value = each.partition("=")
            if not self.mosaic.find_property(name):
                sys.exit(f"report: mosaictemporal has no property {name}")
            Gst.util_set_object_arg(self.mosaic, name, value)

    def play(self):
        before, after = (self.pipeline.get_by_name(n) for n in ("before", "after"))
        self.pipeline.set_state(Gst.State.PLAYING)
        try:
            while (sources := self.pull(before)) and (mosaics := self.pull(after)):
                self.record_frame(picture_of(sources), picture_of(mosaics), mosaics.get_buffer())
            self.photos = list(self.mosaic.get_property("photos") or [])
        finally:
            self.pipeline.set_state(Gst.State.NULL)

    def pull(self, sink):
        """The next sample; None after the last. Ends this program if the pipeline fails."""
        while True:
            sample = sink.emit("try-pull-sample", 100 * Gst.MSECOND)
            self.read_messages()
            if sample or sink.get_property("eos"):
                return sample

    def read_messages(self):
        kinds = Gst.MessageType.ELEMENT | Gst.MessageType.ERROR
        while message := self.pipeline.get_bus().pop_filtered(kinds):
            if message.type == Gst.MessageType.ERROR:
                error, details = message.parse_error()
                sys.exit(f"report: {error.message}\n{details}")
            fields = message.get_structure()
            if fields.get_name() == "mosaictemporal-stats":
                self.messages.append({fields.nth_field_name(i): fields.get_value(fields.nth_field_name(i))
                                      for i in range(fields.n_fields())})

    def record_frame(self, before, after, buffer):
        tiles, photos = cells_of(buffer, "tile"), cells_of(buffer, "photo")
        number = len(self.messages) - 1
        keyframe = not self.messages or self.messages[-1]["keyframe"]
        changed = -1 if keyframe else self.messages[-1]["changed"]
        self.pictures.offer(max(number, 0), before, after, changed)
        if tiles is None:
            return
        if self.tiles is None or self.tiles.shape != tiles.shape:
            self.changes = np.zeros(tiles.shape, np.int64)
        elif not keyframe:
            self.changes += tiles != self.tiles
        self.tiles = tiles
        uses = np.bincount(photos.ravel())
        if self.uses is None:
            self.uses = uses
            return
        length = max(len(uses), len(self.uses))
        self.uses = np.pad(self.uses, (0, length - len(self.uses))) + np.pad(uses, (0, length - len(uses)))


def svg(figure):
    out = io.StringIO()
    figure.savefig(out, format="svg", bbox_inches="tight")
    plt.close(figure)
    return out.getvalue().partition("<!DOCTYPE")[2].partition(">")[2]


def png(picture):
    out = io.BytesIO()
    picture.save(out, format="PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(out.getvalue()).decode()}"


def plot(messages, title, unit, curves):
    """One diagram over the frames. @param curves {name: values}, one value per frame."""
    figure, axes = plt.subplots(figsize=(11, 2.4))
    for name, values in curves.items():
        axes.plot(values, label=name, linewidth=1.2)
    for number, message in enumerate(messages):
        if message["keyframe"]:
            axes.axvline(number, color="0.6", linestyle=":", linewidth=1)
    axes.set(title=title, ylabel=unit, xlabel="frame", ylim=(0, None), xlim=(0, max(1, len(messages) - 1)))
    axes.legend(loc="upper right", fontsize=7, ncol=5)
    axes.grid(alpha=0.25)
    return svg(figure)


def plots(messages):
    def percent(name):
        # A keyframe does not continue an earlier frame: its changes mean nothing.
        return [float("nan") if m["keyframe"] else 100 * m[name] / m["cells"] for m in messages]

    times = {stage: [m[stage] for m in messages] for stage in STAGES}
    return [
        plot(messages, "Fidelity: mean cost of the chosen tiles, 1 is the farthest", "cost",
             {"cost": [m["cost"] for m in messages]}),
        plot(messages, "Churn: cells that change their tile", "% of cells",
             {"all": percent("changed"), "without visible reason": percent("unexplained")}),
        plot(messages, "Certified gap of the assignment, and what duplicates and rerank add to its cost", "%",
             {"gap": [100 * m["gap"] for m in messages], "extra": [100 * m["extra"] for m in messages]}),
        plot(messages, "Cells drawn anew", "% of cells",
             {"repainted": [100 * m["repainted"] / m["cells"] for m in messages]}),
        plot(messages, "Time in the element", "ms", {"all": [m["ms"] for m in messages], **times}),
    ]


def map_of_changes(changes):
    figure, axes = plt.subplots(figsize=(7, 7 * changes.shape[0] / changes.shape[1]))
    image = axes.imshow(changes, cmap="magma", vmin=0)
    axes.set(title="How often each cell changed its tile", xticks=[], yticks=[])
    figure.colorbar(image, fraction=0.046)
    return svg(figure)


def usage(uses, photos, frames):
    """How the pool was used: a diagram, and a table of the photos that were shown most."""
    total = max(len(uses), len(photos))
    counts = np.sort(np.pad(uses, (0, total - len(uses))))[::-1] / frames
    figure, axes = plt.subplots(figsize=(11, 2.4))
    axes.fill_between(np.arange(total), counts, step="mid")
    axes.set(title=f"Photos by use: {np.count_nonzero(counts)} of {total} were seen", xlabel="photo",
             ylabel="cells a frame", ylim=(0, None), xlim=(0, max(1, total - 1)))
    axes.grid(alpha=0.25)
    rows = "".join(
        f"<tr><td>{html.escape(photos[i]) if i < len(photos) else i}</td>"
        f"<td>{uses[i] / frames:.2f}</td></tr>" for i in np.argsort(uses)[::-1][:10] if uses[i])
    return svg(figure) + f"<table><tr><th>photo</th><th>cells a frame</th></tr>{rows}</table>"


def figures(messages):
    later = [m for m in messages[1:] if not m["keyframe"]] or messages
    mean = lambda name: statistics.fmean(100 * m[name] / m["cells"] for m in later)  # noqa: E731
    rows = {
        "frames": len(messages), "keyframes": sum(m["keyframe"] for m in messages),
        "cells": messages[0]["cells"], "tiles": messages[0]["tiles"],
        "cost, mean": f"{statistics.fmean(m['cost'] for m in messages):.5f}",
        "cells that change a frame": f"{mean('changed'):.2f} %",
        "without visible reason": f"{mean('unexplained'):.2f} %",
        "cells drawn anew a frame": f"{mean('repainted'):.2f} %",
        "largest gap": f"{100 * max(m['gap'] for m in messages):.3f} %",
        "time a frame, median": f"{statistics.median(m['ms'] for m in messages):.1f} ms",
    }
    return "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in rows.items())


PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 1340px; color: #222 }}
svg {{ max-width: 100%; height: auto; display: block; margin: 1em 0 }}
table {{ border-collapse: collapse }} td, th {{ padding: .15em 1.2em .15em 0; text-align: left }}
figure {{ margin: 1em 0; display: flex; flex-wrap: wrap; gap: 8px }}
figure img {{ width: calc(50% - 4px); height: auto }} figcaption {{ width: 100%; color: #666 }}
</style></head><body>
<h1>{title}</h1><p>{settings}</p><table>{figures}</table>
<h2>Frame by frame</h2><p>Dotted: keyframes, at which history is dropped.</p>{plots}
<h2>Where</h2>{where}<h2>Which photos</h2>{usage}
<h2>Frames</h2>{pictures}</body></html>
"""


def page(clip, properties, run):
    figures_to_look_at = "".join(
        f'<figure><img src="{png(before)}" alt="source"><img src="{png(after)}" alt="mosaic">'
        f"<figcaption>frame {number}{', which changed most' if number == run.pictures.most[0] else ''}"
        f"</figcaption></figure>" for number, (before, after) in run.pictures.all())
    has_meta = run.changes is not None
    return PAGE.format(
        title=html.escape(f"Mosaic of {pathlib.Path(clip).name}"),
        settings=html.escape(" ".join(properties) or "All properties have their defaults."),
        figures=figures(run.messages), plots="".join(plots(run.messages)),
        where=map_of_changes(run.changes) if has_meta else "",
        usage=usage(run.uses, run.photos, len(run.messages)) if has_meta else "",
        pictures=figures_to_look_at)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1])
    Gst.init(None)
    clip, target, *properties = sys.argv[1:]
    run = Run(clip, properties)
    run.play()
    if not run.messages:
        sys.exit(f"report: {clip} has no frame that could be decoded")
    pathlib.Path(target).write_text(page(clip, properties, run), encoding="utf-8")


if __name__ == "__main__":
    main()
