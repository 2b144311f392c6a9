#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shows a stream, such as examples/rtsp_server.py's, or saves its first frame.

usage: examples/rtsp_client.py URL [PICTURE.png]

Needs python3-gi, gir1.2-gstreamer-1.0, and GStreamer's good plugins and gstreamer1.0-libav.
"""
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

SAVE = "pngenc snapshot=true ! filesink name=file"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    Gst.init(None)
    # Over TCP: lost packets would damage the picture.
    pipeline = Gst.parse_launch("rtspsrc name=stream protocols=tcp latency=200 ! decodebin ! "
                                "videoconvert ! " + (SAVE if len(sys.argv) > 2 else "autovideosink"))
    pipeline.get_by_name("stream").set_property("location", sys.argv[1])
    if len(sys.argv) > 2:
        pipeline.get_by_name("file").set_property("location", sys.argv[2])
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(message.parse_error()[0].message)


if __name__ == "__main__":
    main()
