# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs mosaictemporal on raw frames and prints figures as a line of JSON.

usage: ours.py load WIDTH HEIGHT [PROPERTY=VALUE...]             loads the photos only
       ours.py run RAW FORMAT WIDTH HEIGHT [PROPERTY=VALUE...]   draws all frames in RAW

The frames are in memory before the clock starts, and are not counted in its figure of memory. No sink
waits for the time to show one. PROPERTY is a property of the element. Runs with the distribution's
Python, which has GStreamer's bindings.
"""
import json
import pathlib
import statistics
import sys
import time

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstApp, GstVideo  # noqa: E402, F401

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts" / "lib"))
import figures  # noqa: E402

STAGES = ("unpack", "scene", "analysis", "candidates", "assignment", "drawing", "finishing", "pack")
RATE = 25


class PeakMemory:
    """The most memory that this process had since start(), in MB."""

    @staticmethod
    def start():
        pathlib.Path("/proc/self/clear_refs").write_text("5")

    @staticmethod
    def megabytes():
        lines = pathlib.Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


class Messages:
    """What the element says, each message with the time at which it was posted. The handler runs in
    the streaming thread, so it only keeps what frames() reads later."""

    def __init__(self, bus):
        self.elements, self.progress, self.loaded = [], [], None
        bus.set_sync_handler(self.take)

    def take(self, _, message):
        now = time.perf_counter()
        if message.type == Gst.MessageType.ELEMENT:
            self.elements.append((now, message))
        elif message.type == Gst.MessageType.PROGRESS:
            kind, _, text = message.parse_progress()
            self.progress.append((now, text))
            if kind == Gst.ProgressType.COMPLETE:
                self.loaded = now
        return Gst.BusSyncReply.PASS

    def frames(self):
        """The fields of each frame's message, with the time as `arrived`."""
        parsed = ((now, figures.parse(message.get_structure().to_string()))
                  for now, message in self.elements)
        return [{**fields, "arrived": now} for now, fields in parsed if fields]

    def loading(self):
        """Seconds of loading the photos, and how often the element told how far it was."""
        times = [at for at, _ in self.progress if at <= self.loaded]
        return {"seconds": self.loaded - times[0], "messages": len(times),
                "longest_wait": max((b - a for a, b in zip(times, times[1:])), default=0.0),
                "pool": self.progress[-1][1]}


def finish(pipeline):
    """Waits for the end of the stream; ends this program at an error."""
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(f"mosaictemporal failed: {message.parse_error()[0].message}")


def start(source, properties):
    """A running pipeline from a source to nowhere, and its messages."""
    pipeline = Gst.parse_launch(f"{source} ! mosaictemporal name=mosaic silent=false ! "
                                "fakesink sync=false")
    for setting in properties:
        name, value = setting.split("=", 1)
        Gst.util_set_object_arg(pipeline.get_by_name("mosaic"), name, value)
    messages = Messages(pipeline.get_bus())
    PeakMemory.start()
    if pipeline.set_state(Gst.State.PLAYING) == Gst.StateChangeReturn.FAILURE:
        finish(pipeline)
    return pipeline, messages


def load(width, height, properties):
    pipeline, messages = start("videotestsrc num-buffers=1 ! "
                               f"video/x-raw,width={width},height={height}", properties)
    finish(pipeline)
    return {**messages.loading(), "memory": PeakMemory.megabytes()}


def read_frames(path, size):
    """The frames of a raw file as buffers."""
    frames = []
    with open(path, "rb") as file:
        while len(data := file.read(size)) == size:
            frames.append(Gst.Buffer.new_wrapped_bytes(GLib.Bytes.new(data)))
            frames[-1].pts = (len(frames) - 1) * Gst.SECOND // RATE
            frames[-1].duration = Gst.SECOND // RATE
    return frames


def run(path, pixels, width, height, properties):
    caps = f"video/x-raw,format={pixels},width={width},height={height},framerate={RATE}/1"
    size = GstVideo.VideoInfo.new_from_caps(Gst.Caps.from_string(caps)).size
    frames = read_frames(path, size)
    source = f"appsrc name=frames format=time max-bytes=0 caps={caps}"
    pipeline, messages = start(source, properties)
    for frame in frames:
        pipeline.get_by_name("frames").push_buffer(frame)
    pipeline.get_by_name("frames").end_of_stream()
    finish(pipeline)
    memory = PeakMemory.megabytes() - size * len(frames) / 2**20
    drawn = messages.frames()
    later = drawn[1:]
    return {**figures.summary(drawn), "memory": memory,
            "means": {stage: statistics.fmean(m[stage] for m in later) for stage in STAGES},
            "medians": {stage: statistics.median(m[stage] for m in later) for stage in STAGES},
            "first_ms": drawn[0]["ms"]}


def main():
    Gst.init(None)
    what, *arguments = sys.argv[1:]
    if what == "load":
        print(json.dumps(load(*map(int, arguments[:2]), arguments[2:])))
    else:
        print(json.dumps(run(*arguments[:2], *map(int, arguments[2:4]), arguments[4:])))


if __name__ == "__main__":
    main()
