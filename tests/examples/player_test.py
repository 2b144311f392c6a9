#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The example player.py in a window of a virtual display: a click shows the photo of that tile, the
controls do what they say, and trouble is told.

usage: player_test.py FOLDER_OF_EXAMPLES [SCREENSHOT]
"""
import contextlib
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import gi

gi.require_version("Gst", "1.0")
try:
    gi.require_version("Gtk", "3.0")
except ValueError:
    sys.exit(77)  # skipped
from gi.repository import Gst  # noqa: E402

import virtual_display  # noqa: E402
from pipelines import launch  # noqa: E402

Gst.init(None)
if not (virtual_display.available() and Gst.ElementFactory.find("ximagesrc")
        and Gst.ElementFactory.find("gtksink")):
    sys.exit(77)  # skipped: no virtual display, or no sink for GTK

# Photos of one colour. The look `plain` leaves them as they are, except that variants are darker or
# brighter by a tenth.
PHOTOS = {"blue": (50, 60, 200), "green": (40, 160, 40), "grey": (120, 120, 120), "orange": (220, 120, 40),
          "purple": (160, 60, 160), "red": (200, 40, 40), "teal": (50, 170, 180), "yellow": (200, 190, 40)}
# The clip shows colour bars for a minute, and then a minute of red.
BARS = {"white": (255, 255, 255), "yellow": (255, 255, 0), "cyan": (0, 255, 255), "green": (0, 255, 0),
        "magenta": (255, 0, 255), "red": (255, 0, 0), "blue": (0, 0, 255)}
# Where things are in the window of 960x540: (left, top, right, bottom).
WINDOW = (960, 540)
VIDEO = (0, 0, 690, 490)
PHOTO = (708, 12, 948, 252)
NAME = (700, 256, 956, 320)
TIMES = (100, 495, 770, 538)  # the seek bar and the time beside it
BUTTON = (40, 516)


def nearest(colour, palette, distance):
    """The name of a colour, or None if it is farther than that from all of them."""
    differences = {name: max(abs(a - b) for a, b in zip(colour, other))
                   for name, other in palette.items()}
    name = min(differences, key=differences.get)
    return name if differences[name] <= distance else None


def make_photo(path, colour):
    argb = 255 << 24 | colour[0] << 16 | colour[1] << 8 | colour[2]
    launch(f"videotestsrc num-buffers=1 pattern=solid-color foreground-color={argb} ! "
           f"video/x-raw,format=RGB,width=64,height=64 ! pngenc ! filesink location={path}")


def make_clip(path):
    part = "videotestsrc num-buffers=300 pattern={} ! video/x-raw,width=320,height=240,framerate=5/1 ! c. "
    launch(f"concat name=c ! x264enc speed-preset=ultrafast ! mp4mux ! filesink location={path} " +
           part.format("smpte100") + part.format("red"))


class Player(unittest.TestCase):
    @contextlib.contextmanager
    def player(self, video):
        """The example with a video and `self.photos`."""
        with virtual_display.Display(*WINDOW) as self.display:
            # Nothing is started for assistive technologies, for which there is no bus.
            environment = {**self.display.environment, "NO_AT_BRIDGE": "1", "GTK_THEME": "Adwaita"}
            self.process = subprocess.Popen(
                [sys.executable, EXAMPLES / "player.py", video, self.photos, "plain"], env=environment)
            try:
                self.display.wait_for_window()
                yield
                self.assertIsNone(self.process.poll(), "the player ended")
            finally:
                self.process.kill()
                self.process.wait()

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.clip = pathlib.Path(folder.name) / "clip.mp4"
        make_clip(cls.clip)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.photos = self.folder / "photos"
        self.photos.mkdir()
        for name, colour in PHOTOS.items():
            make_photo(self.photos / f"{name}.png", colour)

    def wait(self, what, condition):
        """Waits until the screen satisfies a condition, and returns it."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            self.assertIsNone(self.process.poll(), "the player ended")
            picture = self.display.picture()
            if condition(picture):
                return picture
            time.sleep(0.1)
        self.fail(f"the window does not show {what}")

    def pause_at_the_start(self):
        """Pauses the video once it is shown, and goes back to its first frame, in which no tile is just
        replaced by another. The seek bar then has the focus."""
        playing = self.wait("a mosaic", lambda picture: self.tiles(picture))
        self.wait("the time going on",
                  lambda picture: picture.region(*TIMES) != playing.region(*TIMES))
        self.display.xdotool("mousemove", *map(str, BUTTON), "click", "1")
        paused = self.wait("one time", self.stands_still)
        self.display.xdotool("key", "Tab", "key", "Home")
        return self.wait("the start", lambda picture: picture.region(*TIMES) != paused.region(*TIMES)
                         and self.stands_still(picture))

    def stands_still(self, picture):
        time.sleep(1.5)
        return picture.data == self.display.picture().data

    def tiles(self, picture):
        """For each photo a place in the video that shows it, with some of it around."""
        places = {}
        for y in range(VIDEO[1] + 60, VIDEO[3] - 8, 10):
            for x in range(VIDEO[0] + 8, VIDEO[2] - 8, 10):
                around = {nearest(picture.colour(x + dx, y + dy), PHOTOS, 30)
                          for dx in (-5, 0, 5) for dy in (-5, 0, 5)}
                if len(around) == 1:
                    places[around.pop()] = x, y
        places.pop(None, None)
        return places

    def click(self, place, what, condition):
        self.display.xdotool("mousemove", *map(str, place), "click", "1")
        return self.wait(what, condition)

    def click_photo(self, place, name):
        """Clicks on a tile, and returns the pixels of the name shown with its photo."""
        shown = self.click(place, f"{name}.png beside the video", lambda picture: all(
            nearest(colour, {name: PHOTOS[name]}, 2) for colour in picture.region(*PHOTO)[::7]))
        return shown.region(*NAME)

    def test_a_click_shows_the_photo_of_the_tile(self):
        with self.player(self.clip):
            places = self.tiles(self.pause_at_the_start())
            self.assertGreaterEqual(len(places), 4, places)
            names = {name: self.click_photo(place, name) for name, place in places.items()}
            if SCREENSHOT:
                self.display.save(SCREENSHOT)
            # Each photo has its name below it, and always the same.
            self.assertEqual(len(set(map(tuple, names.values()))), len(names))
            first, second, *_ = places
            self.assertEqual(self.click_photo(places[first], first), names[first])

            (self.photos / f"{second}.png").write_text("no photo")
            shown = self.click(places[second], "no photo", lambda picture: not any(
                nearest(picture.colour(PHOTO[0] + at, PHOTO[1] + at), PHOTOS, 2) for at in (60, 120, 180)))
            self.assertNotIn(shown.region(*NAME), names.values())
            self.assertGreater(len(set(shown.region(*NAME))), 3, "no words where the name was")
            self.click_photo(places[first], first)

    def colours_of_source(self, picture):
        """The colours of the clip from left to right, where the picture shows them."""
        found = [nearest(picture.colour(x, 200), BARS, 40) for x in range(VIDEO[0] + 30, VIDEO[2] - 30)]
        return [name for at, name in enumerate(found) if name and name not in found[:at]]

    def test_the_controls(self):
        with self.player(self.clip):
            self.assertNotEqual(self.colours_of_source(self.pause_at_the_start()), list(BARS))
            self.display.xdotool("key", "alt+m", "key", "Home")  # to `Mosaic`, and mix=0
            self.wait("the source", lambda picture: self.colours_of_source(picture) == list(BARS))
            # To the seek bar, and half a minute forwards, three times.
            self.display.xdotool("key", "shift+Tab", *["key", "ctrl+Right"] * 3)
            paused = self.wait("the end of the clip",
                               lambda picture: self.colours_of_source(picture) == ["red"]
                               and self.stands_still(picture))
            self.display.xdotool("mousemove", *map(str, BUTTON), "click", "1")
            self.wait("the time going on",
                      lambda picture: picture.region(*TIMES) != paused.region(*TIMES))
            self.assertEqual(self.colours_of_source(self.display.picture()), ["red"])

    def test_what_is_no_video_is_told(self):
        text = self.folder / "clip.mp4"
        text.write_text("no video\n" * 100)
        with self.player(text):
            self.wait("words above the video", lambda picture: nearest(
                picture.colour(4, 4), {"bar": (240, 230, 220)}, 20) and
                len(set(picture.region(0, 5, VIDEO[2] // 2, 30))) > 3)
            # No picture, no photo.
            self.display.xdotool("mousemove", "300", "300", "click", "1")
            self.wait("one picture", self.stands_still)


if __name__ == "__main__":
    EXAMPLES = pathlib.Path(sys.argv.pop(1))
    SCREENSHOT = sys.argv.pop(1) if len(sys.argv) > 1 else None
    unittest.main(verbosity=2)
