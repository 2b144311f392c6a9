#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The example with GStreamer Editing Services: a video turns into a mosaic. It is skipped where there
are no bindings of them; they are not among the packages for tests, because their plugin starts Python
in every program that looks for plugins, which AddressSanitizer reports as leaks.

usage: timeline_test.py FOLDER_OF_EXAMPLES
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import gi

gi.require_version("Gst", "1.0")
try:
    gi.require_version("GES", "1.0")
except ValueError:
    sys.exit(77)  # skipped
from gi.repository import Gst  # noqa: E402

from pipelines import launch, make_clip, make_photos  # noqa: E402

FRAMES, FRAME_BYTES = 50, 160 * 120 * 3


class Timeline(unittest.TestCase):
    def test_fades_from_the_video_to_the_mosaic(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "photos").mkdir()
            make_photos(folder / "photos", 60)
            make_clip(folder / "clip.mp4", FRAMES, "smpte100")
            subprocess.run([sys.executable, EXAMPLES / "timeline.py", folder / "clip.mp4",
                            folder / "photos", folder / "out.mp4"], check=True, timeout=120)
            differences = self.differences(folder)
        self.assertLess(differences[0], 2)
        for earlier, later in (0, 12), (12, 25), (25, -1):
            self.assertLess(differences[earlier] * 1.2, differences[later], differences)
        self.assertGreater(differences[-1], 5)

    def differences(self, folder):
        """How far each frame is from the first of the clip: the mean of the levels' differences."""
        for name in "clip", "out":
            launch(f"filesrc location={folder}/{name}.mp4 ! decodebin ! videoconvert ! "
                   f"video/x-raw,format=RGB ! filesink location={folder}/{name}.rgb")
        first = (folder / "clip.rgb").read_bytes()[:FRAME_BYTES]
        out = (folder / "out.rgb").read_bytes()
        # The last frame may be lost where durations are rounded.
        self.assertIn(len(out) / FRAME_BYTES, (FRAMES - 1, FRAMES))
        return [sum(abs(a - b) for a, b in zip(first, out[at:at + FRAME_BYTES])) / FRAME_BYTES
                for at in range(0, len(out), FRAME_BYTES)]


if __name__ == "__main__":
    EXAMPLES = pathlib.Path(sys.argv.pop(1))
    Gst.init(None)
    unittest.main(verbosity=2)
