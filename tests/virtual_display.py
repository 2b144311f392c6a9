# SPDX-License-Identifier: LGPL-2.1-or-later
"""A display without a screen, for tests of programs that have a window."""
import os
import pathlib
import shutil
import subprocess
import tempfile

from pipelines import launch


def available():
    return bool(shutil.which("Xvfb") and shutil.which("xdotool"))


class Picture:
    """What was on the display."""

    def __init__(self, width, data):
        self.width, self.data = width, data

    def colour(self, x, y):
        """(red, green, blue) of a pixel"""
        at = (y * self.width + x) * 3
        return tuple(self.data[at:at + 3])

    def region(self, left, top, right, bottom):
        """The colours of a rectangle's pixels; `right` and `bottom` are outside."""
        return [self.colour(x, y) for y in range(top, bottom) for x in range(left, right)]


class Display:
    """An X display; `environment` makes a program use it. The width is a multiple of four."""

    def __init__(self, width=640, height=480):
        self.width, self.height = width, height

    def __enter__(self):
        read, write = os.pipe()
        # Without -noreset the server starts anew when its last client leaves, and refuses whoever comes meanwhile.
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{self.width}x{self.height}x24",
             "-noreset", "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            self.name = ":" + number.readline().strip()
        self.environment = {**os.environ, "DISPLAY": self.name}
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.server.wait()

    def xdotool(self, *arguments):
        """Moves the mouse, clicks and types."""
        subprocess.run(["xdotool", *arguments], check=True, env=self.environment, timeout=60,
                       stdout=subprocess.DEVNULL)

    def wait_for_window(self):
        self.xdotool("search", "--sync", "--onlyvisible", "--name", ".")

    def picture(self):
        """What is on the display now, without the pointer."""
        with tempfile.NamedTemporaryFile() as file:
            self._grab("video/x-raw,format=RGB", file.name)
            return Picture(self.width, pathlib.Path(file.name).read_bytes())

    def save(self, png):
        """Writes what is on the display now to a file."""
        self._grab("pngenc", png)

    def _grab(self, form, path):
        launch(f"ximagesrc display-name={self.name} num-buffers=1 show-pointer=false ! videoconvert ! "
               f"{form} ! filesink location={path}")
