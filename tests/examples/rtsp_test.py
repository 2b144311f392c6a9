#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The RTSP server and client of the examples.

usage: rtsp_test.py FOLDER_OF_EXAMPLES
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import gi

gi.require_version("Gst", "1.0")
try:
    gi.require_version("GstRtspServer", "1.0")
except ValueError:
    sys.exit(77)  # skipped: no bindings of GStreamer's RTSP server
from gi.repository import Gst  # noqa: E402

from pipelines import launch, make_clip, make_photos  # noqa: E402

RED, BLUE = 0xffd02020, 0xff2020d0


def mean_colour(picture):
    """The means of R, G and B of a PNG."""
    raw = picture.with_suffix(".rgb")
    launch(f"filesrc location={picture} ! pngdec ! videoconvert ! video/x-raw,format=RGB ! "
           f"filesink location={raw}")
    data = raw.read_bytes()
    return [sum(data[i::3]) / len(data[i::3]) for i in range(3)]


class RtspExample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        photos = cls.folder / "photos"
        for name, colour in ("red", RED), ("blue", BLUE):
            os.makedirs(photos / name)
            make_photos(photos / name, 30, f"solid-color foreground-color={colour}")
        (cls.folder / "secret").mkdir()
        # A grey clip, so that all colour comes from the photos.
        make_clip(cls.folder / "clip.mp4", 100, "solid-color foreground-color=0xff808080")
        cls.server = subprocess.Popen(
            [sys.executable, EXAMPLES / "rtsp_server.py", photos, cls.folder / "clip.mp4", "0"],
            stdout=subprocess.PIPE, text=True)
        cls.url = cls.server.stdout.readline().strip()
        cls.addClassCleanup(cls.server.stdout.close)
        cls.addClassCleanup(cls.server.wait)
        cls.addClassCleanup(cls.server.kill)

    def picture(self, query):
        """The picture that the client saved, None if it failed, and what it wrote to stderr."""
        path = self.folder / "picture.png"
        path.unlink(missing_ok=True)
        client = subprocess.run([sys.executable, EXAMPLES / "rtsp_client.py", self.url + query, path],
                                capture_output=True, text=True, timeout=60)
        return path if client.returncode == 0 else None, client.stderr

    def test_each_client_gets_its_tiles(self):
        red, _, blue = mean_colour(self.picture("?tiles=red&size=48&profile=plain")[0])
        self.assertGreater(red, blue + 5)
        red, _, blue = mean_colour(self.picture("?tiles=blue&size=48&profile=plain")[0])
        self.assertGreater(blue, red + 5)

    def test_all_photos_without_tiles(self):
        self.assertIsNotNone(self.picture("?size=48")[0])

    def test_refuses_other_folders_and_sizes(self):
        for query in ("?tiles=../secret", "?tiles=green", "?tiles=..", "?tiles=/etc", "?size=0",
                      "?size=9999999", "?size=all", "?profile=wild"):
            picture, error = self.picture(query)
            self.assertIsNone(picture, query)
            self.assertRegex(error, "(?i)not found", query)


if __name__ == "__main__":
    EXAMPLES = pathlib.Path(sys.argv.pop(1))
    Gst.init(None)
    unittest.main(verbosity=2)
