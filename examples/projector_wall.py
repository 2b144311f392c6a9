#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shows a mosaic on a wall of 2 x 2 projectors: four windows, each a quarter of one stream.

usage: GST_PLUGIN_PATH=build/gst examples/projector_wall.py FILE.mosaic PACK [SIZE [SINK]]

FILE.mosaic is a mosaic as a stream of indices, PACK the pack of photos with which it was made. SIZE is
that of each window, 960x540 by default. SINK is what shows a picture, videoconvert ! autovideosink by
default; {} in it becomes the number of the projector, 0 to 3, row by row.
"""
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

COLUMNS, ROWS = 2, 2


def projector(number, pack, size, sink):
    """A part of the wall, as a branch of the pipeline."""
    width, height = size.split("x")
    return (f"all. ! queue ! mosaicrender pack-location={pack} "
            f"crop-x={number % COLUMNS / COLUMNS} crop-width={1 / COLUMNS} "
            f"crop-y={number // COLUMNS / ROWS} crop-height={1 / ROWS} ! "
            f"video/x-raw,width={width},height={height} ! {sink.replace('{}', str(number))}")


def main():
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    Gst.init(None)
    file, pack, size, sink = (sys.argv[1:] + ["960x540", "videoconvert ! autovideosink"][len(sys.argv) - 3:])
    projectors = [projector(number, pack, size, sink) for number in range(COLUMNS * ROWS)]
    # One clock and one pipeline keep the four in step.
    pipeline = Gst.parse_launch(f"filesrc location={file} ! mosaicparse ! tee name=all " + " ".join(projectors))
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(message.parse_error()[0].message)


if __name__ == "__main__":
    main()
