#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: show_test.py PROGRAM: mosaics in a window, on the whole screen and in other sinks."""

import contextlib
import os
import subprocess
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

import virtual_display  # noqa: E402
from films import play  # noqa: E402
from pipelines import launch  # noqa: E402
from program_case import ProgramCase, main  # noqa: E402

GREY = (128, 128, 128)
COMMON = ("--tiles", "photos", "--size", "8x4", "--mix", "0", "--n-threads", "1", "--quiet")
SECONDS = 240


def near(colour, other):
    return all(abs(a - b) < 24 for a, b in zip(colour, other))


def grey(path, width, height, seconds, aspect="1/1"):
    """Writes a grey film, with a sound that nobody hears."""
    launch(f"videotestsrc num-buffers={seconds * 10} pattern=solid-color foreground-color=0xff808080 ! "
           f"video/x-raw,format=I420,width={width},height={height},framerate=10/1,pixel-aspect-ratio={aspect} ! "
           f"x264enc ! matroskamux ! filesink location={path}")


class Show(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        grey("wide.mkv", 128, 64, 600)
        grey("anamorphic.mkv", 64, 64, 600, aspect="2/1")
        grey("short.mkv", 128, 64, 1)

    @contextlib.contextmanager
    def start(self, display, *arguments):
        with subprocess.Popen([self.program, *arguments, *COMMON], env=display.environment, text=True,
                              stderr=subprocess.PIPE) as process:
            try:
                yield process
            finally:
                process.kill()  # if it still plays, because the test has failed

    def wait_for_grey(self, display, x, y):
        end = time.monotonic() + SECONDS
        while not near(display.picture().colour(x, y), GREY):
            self.assertLess(time.monotonic(), end, "there is no mosaic on the screen")
            time.sleep(0.1)
        return display.picture()

    def test_a_window(self):
        for film in ("wide.mkv", "anamorphic.mkv"):
            with self.subTest(film), virtual_display.Display(320, 240) as display:
                with self.start(display, film, "--show") as process:
                    picture = self.wait_for_grey(display, 64, 32)
                    # Twice as wide as high.
                    for x, y, inside in ((2, 2, True), (125, 61, True), (125, 70, False), (135, 61, False)):
                        self.assertEqual(near(picture.colour(x, y), GREY), inside, (x, y))
                    process.terminate()
                    process.communicate(timeout=SECONDS)

    def test_the_whole_screen(self):
        for film, key in (("wide.mkv", "Escape"), ("anamorphic.mkv", "q")):
            with self.subTest(film), virtual_display.Display(320, 240) as display:
                with self.start(display, film, "--fullscreen") as process:
                    picture = self.wait_for_grey(display, 160, 120)
                    # 320 x 160 pixels in the middle, black above and below.
                    for x, y, inside in ((3, 43, True), (316, 196, True), (160, 36, False), (160, 203, False)):
                        self.assertEqual(near(picture.colour(x, y), GREY), inside, (x, y))
                        if not inside:
                            self.assertTrue(near(picture.colour(x, y), (0, 0, 0)))
                    display.xdotool("key", key)
                    said = process.communicate(timeout=SECONDS)[1]
                self.assertEqual(process.returncode, 0, said)

    def test_without_a_screen(self):
        bare = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = self.run_program("short.mkv", "--show", *COMMON, status=1, env=bare)
        self.assertIn("there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set", done.stderr)
        done = self.run_program("short.mkv", "--fullscreen", *COMMON, status=1, env={**bare, "DISPLAY": ":4711"})
        self.assertIn("the screen that DISPLAY or WAYLAND_DISPLAY names cannot be reached", done.stderr)

    def test_another_sink(self):
        self.run_program("short.mkv", "--sink", "x264enc tune=zerolatency ! matroskamux ! filesink location=sink.mkv",
                         *COMMON)
        self.assertEqual(play("sink.mkv").frames, 10)
        self.run_program("short.mkv", "--sink",
                         "videoconvert ! video/x-raw,format=RGB ! filesink location='sink file.raw'", *COMMON)
        self.assertEqual(os.path.getsize("sink file.raw"), 10 * 128 * 64 * 3)
        for sink, status, text in (
                ("nosuchsink", 1, "GStreamer has no element nosuchsink"),
                ("videoconvert", 2, "videoconvert is no sink"),
                ("fakesink foo=3", 1, 'no property "foo"'), ("'", 2, "--sink '"), ("", 2, "--sink needs"),
                ("v4l2sink device=/dev/nothing", 1, "/dev/nothing")):
            with self.subTest(sink):
                done = self.run_program("short.mkv", "--sink", sink, *COMMON, status=status)
                self.assertIn(text, done.stderr)
        for wrong in (("--fullscreen", "--sink", "fakesink"), ("--sink", "fakesink", "-o", "a.mkv"),
                      ("--fullscreen", "-o", "a.mkv"), ("--show", "--codec", "av1")):
            self.run_program("short.mkv", *wrong, *COMMON, status=2)


if __name__ == "__main__":
    Gst.init(None)
    if not (virtual_display.available() and Gst.ElementFactory.find("ximagesink")):
        raise SystemExit(77)  # meson: skipped
    main()
