#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: timeline_test.py: decoding, mosaics and encoding overlap on the emulated GPU, and the host
waits for a mosaic only as docs/architecture.md says.

A clip is played in another process, which writes a trace. There every frame is held before the element
until the picture before it is being encoded and the one after it is being decoded, and these are held
until the frame's first kernel begins. So the three overlap if none has to wait for another, however
long each takes.
"""
import collections
import ctypes
import importlib.util
import os
import subprocess
import sys
import tempfile
import threading

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from gpu_trace import ELEMENT, FIRST_KERNEL, Trace, reranked  # noqa: E402
from pipelines import launch  # noqa: E402

SKIPPED = 77
FRAMES = 24
HELD = range(1, FRAMES - 1)  # frames that have one before and one after them
PATIENCE = 60  # seconds: nothing takes so long, even on a loaded machine
ELEMENTS = ("nvh264dec", "nvh264enc", "x264enc", "qtdemux", "h264parse", "videorate", "mp4mux")


class Meeting:
    """Holds a frame and its neighbours until all three are worked on."""

    def __init__(self):
        self.begun = collections.Counter()  # pictures and frames
        self.arrived = 0  # frames before the element
        self.changed = threading.Condition()
        self.missed = None
        self.callback = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p)(self.begins)
        ctypes.CDLL("libcuda.so.1").emulated_gpu_watch(self.callback)

    def begins(self, row, name):
        stage = "mosaic" if name.decode() == FIRST_KERNEL else row.decode()
        # By how many frames it is ahead of the mosaic.
        ahead = {"encoder": -1, "mosaic": 0, "decoder": 1}.get(stage)
        if ahead is None:
            return
        with self.changed:
            frame = self.begun[stage] - ahead
            self.begun[stage] += 1
            self.changed.notify_all()
            if stage != "mosaic":
                self.hold(stage, frame, lambda: self.begun["mosaic"] > frame)

    def arrives(self, pad, info):
        with self.changed:
            frame = self.arrived
            self.arrived += 1
            self.hold("mosaic", frame, lambda: (self.begun["encoder"] > frame - 1 and
                                                self.begun["decoder"] > frame + 1))
        return Gst.PadProbeReturn.OK

    def hold(self, stage, frame, released):
        if frame not in HELD:
            return
        if not self.changed.wait_for(lambda: self.missed or released(), PATIENCE):
            self.missed = f"{stage} held for frame {frame}, begun are {dict(self.begun)}"
            self.changed.notify_all()

    def watch(self, pipeline):
        pad = pipeline.get_by_name("mosaic").get_static_pad("sink")
        pad.add_probe(Gst.PadProbeType.BUFFER, self.arrives)


def play():
    meeting = Meeting()
    launch("filesrc location=clip.mp4 ! qtdemux ! h264parse ! nvh264dec ! queue ! "
           "mosaictemporal name=mosaic size=10x8 ! queue ! nvh264enc ! fakesink", meeting.watch)
    assert not meeting.missed, f"no overlap: {meeting.missed}"


def check_overlap(trace):
    encoder, decoder = trace.pictures("encoder"), trace.pictures("decoder")
    assert len(encoder) == len(decoder) == len(trace.frames) == FRAMES, (
        len(encoder), len(decoder), len(trace.frames))
    for n in HELD:
        for other in (encoder[n - 1], decoder[n + 1]):
            assert other.begin < trace.starts[n] < other.end, (n, trace.starts[n], other)


def check_waits(trace):
    before_push = Gst.version()[:2] < (1, 24)
    with_rerank = 0
    for number, (kernels, waits) in enumerate(zip(trace.frames, trace.waits())):
        for wait in waits:
            assert (wait.name, wait.caller) == ("cuStreamSynchronize", ELEMENT), (
                f"frame {number}: {wait.caller} waits in {wait.name}, which docs/architecture.md "
                "does not name")
        reranks = reranked(kernels)
        with_rerank += reranks
        # For the assignment, for the rerank, before the push, and where a look's curve is replaced.
        allowed = 1 + reranks + before_push + (number == 0)
        assert len(waits) == allowed, (
            f"frame {number}: {len(waits)} waits in cuStreamSynchronize, of which "
            f"docs/architecture.md names {allowed}")
    assert 0 < with_rerank < FRAMES - 1, f"{with_rerank} frames were reranked"


def check_picture(trace_path, picture):
    if not importlib.util.find_spec("matplotlib"):
        print("not drawn: there is no matplotlib")
        return
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "draw_timeline.py")
    subprocess.run([sys.executable, script, trace_path, picture], check=True, timeout=120)
    with open(picture, "rb") as file:
        assert file.read(8) == b"\x89PNG\r\n\x1a\n"


def main():
    for name in ELEMENTS:
        if not Gst.ElementFactory.find(name):
            print(f"skipped: this GStreamer has no {name}")
            sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        # Each picture is shown twice, so that in every second frame no tile changes. B-frames would be
        # decoded in another order.
        launch("videotestsrc pattern=ball ! "
               "video/x-raw,format=I420,width=320,height=256,framerate=25/2 ! videorate ! "
               f"video/x-raw,framerate=25/1 ! identity eos-after={FRAMES} ! x264enc bframes=0 ! "
               f"mp4mux ! filesink location={folder}/clip.mp4")
        done = subprocess.run([sys.executable, os.path.abspath(__file__), "play"], cwd=folder,
                              check=False, timeout=240,
                              env={**os.environ, "EMULATED_GPU_TRACE": "trace.json"})
        trace = Trace(f"{folder}/trace.json")
        check_waits(trace)  # first, because it names the call that keeps frames from overlapping
        assert done.returncode == 0
        check_overlap(trace)
        check_picture(f"{folder}/trace.json", f"{folder}/timeline.png")


Gst.init(None)
if sys.argv[1:] == ["play"]:
    play()
else:
    main()
