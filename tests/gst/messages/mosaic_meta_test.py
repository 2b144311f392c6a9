# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads a frame's meta and the photos' names from Python, with the code in docs/meta.md.

usage: mosaic_meta_test.py META_MD
"""
import pathlib
import re
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402,F401


def main():
    text = pathlib.Path(sys.argv[1]).read_text()
    documented = {}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], documented)

    Gst.init(None)
    pipeline = Gst.parse_launch(
        "videotestsrc num-buffers=1 ! video/x-raw,width=64,height=48 ! "
        "mosaictemporal name=mosaic size=8x6 ! appsink name=sink")
    pipeline.set_state(Gst.State.PLAYING)
    sample = pipeline.get_by_name("sink").pull_sample()
    assert sample, "there is no frame"
    photos = documented["photos_in"](sample.get_buffer())
    names = pipeline.get_by_name("mosaic").get_property("photos")
    pipeline.set_state(Gst.State.NULL)

    assert photos.shape == (6, 8), photos.shape
    shown = {names[photos[row, column]] for row in range(6) for column in range(8)}
    assert len(shown) > 8 and all(name.startswith("built-in ") for name in shown), shown


main()
