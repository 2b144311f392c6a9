# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pipelines that tests in Python run."""

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402


def launch(line, prepare=None):
    """Runs a pipeline to its end.

    @param prepare: is called with the pipeline before it starts"""
    pipeline = Gst.parse_launch(line)
    if prepare:
        prepare(pipeline)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        120 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    assert message, f"no end within 120 s: {line}"
    assert message.type == Gst.MessageType.EOS, f"{message.parse_error()}: {line}"


def make_photos(folder, count, picture="snow", side=32):
    """Writes 00.png, 01.png ... of `side` x `side` pixels; `picture` is a pattern of videotestsrc, and
    more of its properties."""
    launch(f"videotestsrc num-buffers={count} pattern={picture} ! "
           f"video/x-raw,format=RGB,width={side},height={side} ! pngenc ! "
           f"multifilesink location={folder}/%02d.png")


def make_clip(path, frames, picture="smpte", size="width=160,height=120", rate=25):
    """Writes a clip of H.264 in MP4."""
    launch(f"videotestsrc num-buffers={frames} pattern={picture} ! "
           f"video/x-raw,{size},framerate={rate}/1 ! x264enc ! mp4mux ! filesink location={path}")
