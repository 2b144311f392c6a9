#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shows a video as a mosaic, or the camera's picture if VIDEO is `camera`, and prints the element's
messages: click on a tile to see which photo it is. The window is the sink's own; player.py has one of
GTK.

usage: GST_PLUGIN_PATH=build/gst examples/embed.py VIDEO PHOTOS [SINK]

Needs python3-gi and gir1.2-gstreamer-1.0.
"""
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402


def report(message):
    """Prints the progress of loading, the photo that was clicked on, and statistics of the mosaic."""
    if message.type == Gst.MessageType.PROGRESS:
        print(message.parse_progress()[2])
        return
    stats = message.get_structure()
    if stats and stats.get_name() == "mosaictemporal-tile":
        print("clicked on", stats.get_string("photo"), flush=True)
    if stats and stats.get_name() == "mosaictemporal-stats":
        frame = stats.get_uint64("frame").value
        if frame % 25 == 0:
            print(f"frame {frame}: {stats.get_uint('changed').value} of "
                  f"{stats.get_uint('cells').value} tiles changed, "
                  f"{stats.get_double('ms').value:.1f} ms")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    Gst.init(None)
    sink = sys.argv[3] if len(sys.argv) == 4 else "autovideosink"
    source = "autovideosrc" if sys.argv[1] == "camera" else "filesrc name=file ! decodebin"
    pipeline = Gst.parse_launch(source + " ! videoconvert ! mosaictemporal name=mosaic silent=false ! "
                                "videoconvert ! " + sink)
    if sys.argv[1] != "camera":
        pipeline.get_by_name("file").set_property("location", sys.argv[1])
    pipeline.get_by_name("mosaic").set_property("tile-location", sys.argv[2])
    pipeline.set_state(Gst.State.PLAYING)
    bus = pipeline.get_bus()
    while True:
        message = bus.timed_pop(Gst.CLOCK_TIME_NONE)
        if message.type == Gst.MessageType.EOS:
            break
        if message.type == Gst.MessageType.ERROR:
            pipeline.set_state(Gst.State.NULL)
            sys.exit(message.parse_error()[0].message)
        report(message)
    pipeline.set_state(Gst.State.NULL)


if __name__ == "__main__":
    main()
