#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The example embed.py in a window of a virtual display: the mosaic is on the screen, and a click tells
which photo is there.

usage: window_test.py FOLDER_OF_EXAMPLES [SCREENSHOT]
"""
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

import virtual_display  # noqa: E402
from pipelines import make_clip, make_photos  # noqa: E402

Gst.init(None)
if not (virtual_display.available() and Gst.ElementFactory.find("ximagesink")):
    sys.exit(77)  # skipped: no virtual display


class Window(unittest.TestCase):
    def test_a_click_tells_the_photo(self):
        with tempfile.TemporaryDirectory() as name, virtual_display.Display() as display:
            folder = pathlib.Path(name)
            (folder / "photos").mkdir()
            make_photos(folder / "photos", 60)
            make_clip(folder / "clip.mp4", 750, size="width=320,height=240")
            with open(folder / "output", "w") as output:
                player = subprocess.Popen(
                    [sys.executable, EXAMPLES / "embed.py", folder / "clip.mp4", folder / "photos",
                     "ximagesink"], stdout=output, env=display.environment)
            try:
                clicked = self.click(display, folder / "output")
                self.look(display)
            finally:
                player.kill()
                player.wait()
            self.assertRegex(clicked, f"clicked on {folder}/photos/[0-9]+.png")

    def click(self, display, output):
        """Clicks into the window until the program answers, and returns what it printed."""
        display.wait_for_window()
        for _ in range(60):
            display.xdotool("mousemove", "100", "90", "click", "1")
            time.sleep(0.3)
            if "clicked" in output.read_text():
                break
        return output.read_text()

    def look(self, display):
        """The window shows more than one colour."""
        shown = display.picture()
        inside = [shown.colour(x, y) for y in range(10, 200, 5) for x in range(10, 300, 5)]
        self.assertGreater(len(set(inside)), 100)
        if SCREENSHOT:
            display.save(SCREENSHOT)


if __name__ == "__main__":
    EXAMPLES = pathlib.Path(sys.argv.pop(1))
    SCREENSHOT = sys.argv.pop(1) if len(sys.argv) > 1 else None
    unittest.main(verbosity=2)
