#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sends a mosaic as a stream of indices over TCP to three receivers, which draw it at different sizes.
Each could be a program on another machine; all it needs is a copy of the pack of photos.

usage: GST_PLUGIN_PATH=build/gst examples/stream_receivers.py VIDEO PACK [PORT [SINK]]

PORT is 5600 by default. SINK is what shows a picture, videoconvert ! autovideosink by default; {} in
it becomes the number of the receiver, 0 to 2.
"""
import os
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

WIDTHS = [320, 960, 1920]


def sender(video, pack, port):
    """Plays a video in real time. Whoever connects gets the stream from the next keyframe on."""
    uri = Gst.filename_to_uri(os.path.abspath(video))
    return Gst.parse_launch(
        f"uridecodebin uri={uri} ! videoconvert ! mosaictemporal tile-location={pack} ! "
        f"application/x-mosaic ! tcpserversink name=server host=127.0.0.1 port={port} "
        "sync-method=next-keyframe sync=true")


def receiver(number, pack, port, sink):
    return Gst.parse_launch(
        f"tcpclientsrc host=127.0.0.1 port={port} ! mosaicparse ! "
        f"mosaicrender pack-location={pack} ! video/x-raw,width={WIDTHS[number]} ! "
        f"{sink.replace('{}', str(number))}")


def wait_for_end(pipeline):
    """Returns the text of the pipeline's error; none: it has ended."""
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    return message.parse_error()[0].message if message.type == Gst.MessageType.ERROR else None


def main():
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    Gst.init(None)
    video, pack, port, sink = sys.argv[1:] + ["5600", "videoconvert ! autovideosink"][len(sys.argv) - 3:]
    pipelines = [sender(video, pack, port)]
    pipelines[0].set_state(Gst.State.PAUSED)  # from now on clients can connect
    pipelines += [receiver(number, pack, port, sink) for number in range(len(WIDTHS))]
    for pipeline in reversed(pipelines):
        pipeline.set_state(Gst.State.PLAYING)
    errors = []
    for pipeline in pipelines:  # the end of the sender is that of the connections
        errors.append(wait_for_end(pipeline))
        pipeline.set_state(Gst.State.NULL)
    if any(errors):
        sys.exit("\n".join(filter(None, errors)))


if __name__ == "__main__":
    main()
