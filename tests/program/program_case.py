# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the tests of mosaic-temporal share: a folder with photos, and starting the program."""

import contextlib
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from typing import NamedTuple

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

from pipelines import make_photos  # noqa: E402


class Sample(NamedTuple):
    data: bytes
    start: int  # nanoseconds
    end: int


def samples(line, caps=None):
    """What reaches the appsink `out` of a pipeline. Adds the caps of each to the list `caps`."""
    pipeline = Gst.parse_launch(line)
    sink = pipeline.get_by_name("out")
    pipeline.set_state(Gst.State.PLAYING)
    found = []
    while sample := sink.emit("try-pull-sample", 60 * Gst.SECOND):
        buffer = sample.get_buffer()
        if caps is not None:
            caps.append(sample.get_caps())
        start = sample.get_segment().to_stream_time(Gst.Format.TIME, buffer.pts)
        found.append(Sample(buffer.extract_dup(0, buffer.get_size()), start,
                            start + buffer.duration))
    pipeline.set_state(Gst.State.NULL)
    return found


LONG_FRAMES, LONG_RATE = 6000, 25


def long_film(path, more=""):
    """A pipeline that writes Matroska with so many small frames that the program is not done soon
    after it began. more: what else is linked to the muxer `mux`."""
    return (f"matroskamux name=mux ! filesink location={path} "
            f"videotestsrc num-buffers={LONG_FRAMES} pattern=ball ! "
            f"video/x-raw,width=64,height=48,framerate={LONG_RATE}/1 ! "
            f"x264enc speed-preset=ultrafast ! mux. {more}")


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", *arguments], check=True, timeout=120)


class ProgramCase(unittest.TestCase):
    """Its working directory is a temporary folder with a folder of photos."""

    program = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="mosaic-temporal-test-")
        os.chdir(cls.folder)
        os.environ["XDG_CACHE_HOME"] = cls.folder + "/cache"
        os.mkdir("photos")
        make_photos("photos", 40, side=64)

    @classmethod
    def tearDownClass(cls):
        os.chdir("/")
        shutil.rmtree(cls.folder)

    def run_program(self, *arguments, status=0, program=None, **more):
        done = subprocess.run([program or self.program, *arguments], capture_output=True, text=True,
                              timeout=240, check=False, **more)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def shown_in_terminal(self, *arguments):
        """What the program writes to a terminal."""
        ours, its = pty.openpty()
        with subprocess.Popen([self.program, *arguments], stderr=its, stdout=subprocess.DEVNULL) as process:
            os.close(its)
            shown = b""
            with contextlib.suppress(OSError):  # when the program has ended
                while part := os.read(ours, 4096):
                    shown += part
            os.close(ours)
        self.assertEqual(process.returncode, 0, shown)
        return shown

    def interrupted(self, film, name):
        """Interrupts the program once it has written something; returns what it says in JSON."""
        folder, file = os.path.split(name)
        stem, extension = os.path.splitext(file)
        part = os.path.join(folder, f".{stem}.part{extension}")
        with subprocess.Popen([self.program, film, "-o", name, "--tiles", "photos", "--size", "8x6",
                               "--n-threads", "1", "--json"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as process:
            while not (os.path.exists(part) and os.path.getsize(part) > 0):
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            output = process.communicate(timeout=240)[0]
        self.assertEqual(process.returncode, 130)
        return json.loads(output)

    def mosaic_of(self, name, *arguments):
        """Runs the program; returns what it says in JSON."""
        done = self.run_program(*arguments, "--tiles", "photos", "-o", name, "--json")
        self.assertFalse([file for file in os.listdir() if ".part" in file])
        return json.loads(done.stdout)


def main():
    ProgramCase.program = os.path.abspath(sys.argv.pop(1))
    Gst.init(None)
    # Criticals are fatal for the program (G_DEBUG), but not here: decodebin of GStreamer 1.22 emits one
    # now and then if a pipeline ends while it still adds elements for a stream that no one takes.
    GLib.log_set_always_fatal(GLib.LogLevelFlags.LEVEL_ERROR)
    unittest.main(verbosity=2)
