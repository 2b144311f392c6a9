#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The example run_pipeline.py: it makes a mosaic, and says what is wrong.

usage: run_pipeline_test.py FOLDER_OF_EXAMPLES
"""

import os
import sys
import tempfile
import unittest

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from pipelines import launch, make_clip, make_photos  # noqa: E402


class RunPipeline(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.clip = self.folder.name + "/clip.mp4"
        self.mosaic = self.folder.name + "/mosaic.mp4"
        self.photos = self.folder.name + "/photos"
        os.mkdir(self.photos)
        make_photos(self.photos, 30)
        make_clip(self.clip, 20, rate=10)

    def test_makes_a_mosaic(self):
        config = run_pipeline.D1Config.from_preset("film", size="8x6", beta=0.2)
        stats = run_pipeline.run_pipeline(self.clip, self.mosaic, tile_dir=self.photos, fps=20,
                                          cq=30, config=config)
        self.assertEqual((stats["frames"], stats["width"], stats["height"], stats["fps"]),
                         (40, 160, 120, 20.0))
        self.assertEqual((stats["active_codec"], stats["cells"]), ("avdec_h264", 48))
        launch(f"filesrc location={self.mosaic} ! qtdemux ! h264parse ! avdec_h264 ! fakesink")

    def test_says_what_is_wrong(self):
        with self.assertRaisesRegex(RuntimeError, "nowhere"):
            run_pipeline.run_pipeline(self.clip, self.mosaic, tile_dir="/nowhere")
        with self.assertRaises(RuntimeError):
            run_pipeline.run_pipeline("/missing.mp4", self.mosaic, tile_dir=self.photos)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv.pop(1))
    import run_pipeline  # noqa: E402
    Gst.init(None)
    unittest.main(verbosity=2)
