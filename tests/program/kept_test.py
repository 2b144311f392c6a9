#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: kept_test.py PROGRAM: mosaic-temporal loses no film, and never waits for ever."""

import http.server
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import gi

from films import make_film, play
from pipelines import launch
from program_case import ProgramCase, main, samples

# Frames that take long enough to be interrupted.
SLOW = ["--tiles", "photos", "--tile-size", "8", "--output-size", "320x240", "--n-threads", "1"]
QUICK = ["--tiles", "photos", "--size", "8x6", "--n-threads", "1"]
SECONDS = 240  # the time that tests may take when everything runs at once


CAMERA = """
import sys, gi
gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer
Gst.init(None)
server = GstRtspServer.RTSPServer(service=sys.argv[1], address="127.0.0.1")
server.get_mount_points().add_factory("/camera", GstRtspServer.RTSPMediaFactory(launch=
    "( videotestsrc is-live=true ! video/x-raw,width=64,height=48,framerate=25/1 ! "
    "x264enc tune=zerolatency key-int-max=25 ! rtph264pay name=pay0 pt=96 )"))
server.attach(None)
print("ready", flush=True)
GLib.MainLoop().run()
"""


class HalfServer(http.server.BaseHTTPRequestHandler):
    """Sends a half of film.mp4, and then nothing more; never answers a question for /silent."""

    def do_GET(self):
        if self.path == "/silent":
            self.server.closing.wait()
            return
        with open("front.mp4", "rb") as file:
            data = file.read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:len(data) // 2])
        self.wfile.flush()
        self.server.closing.wait()

    def log_message(self, *_):
        pass


def truncate(name, new_name, share):
    with open(name, "rb") as file:
        data = file.read()
    with open(new_name, "wb") as file:
        file.write(data[:int(len(data) * share)])


def frames_in(path):
    """The coded frames of an MP4 or Matroska file."""
    demuxer = "matroskademux" if path.endswith(".mkv") else "qtdemux"
    return len(samples(f"filesrc location={path} ! {demuxer} ! video/x-h264 ! appsink name=out sync=false"))


class Kept(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Under nohup, this signal is ignored, and so it would be by the program.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        # Where coding reorders frames, decoding ends with a gap if it is stopped, and players leave out
        # what comes after the gap.
        make_film("long.mp4", ["aac"], frames=1500, seconds=60, size="160x120")
        make_film("film.mkv", ["aac"], frames=100, seconds=4)
        make_film("film.mp4", ["aac"], frames=100, seconds=4)
        # With the index in front, as films on servers have it.
        launch("videotestsrc num-buffers=100 pattern=ball ! video/x-raw,width=64,height=48,framerate=25/1 ! "
               "x264enc tune=zerolatency ! h264parse ! queue ! out. audiotestsrc samplesperbuffer=480 "
               "num-buffers=400 ! audio/x-raw,rate=48000 ! avenc_aac ! aacparse ! queue ! out. "
               "mp4mux name=out faststart=true ! filesink location=front.mp4")

    def start(self, output, *more):
        return subprocess.Popen([self.program, "long.mp4", "-o", output, *SLOW, "--json", *more],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    @staticmethod
    def wait_for(file, size):
        end = time.monotonic() + SECONDS
        while not (os.path.exists(file) and os.path.getsize(file) > size):
            assert time.monotonic() < end, file
            time.sleep(0.05)

    def test_the_input_is_no_output(self):
        for name, link in (("same.mkv", None), ("soft.mkv", os.symlink), ("hard.mkv", os.link)):
            with self.subTest(name):
                shutil.copy("film.mkv", "same.mkv")
                if link:
                    link("same.mkv", name)
                for output in name, "./" + name, os.path.abspath(name):
                    done = self.run_program("same.mkv", "-o", output, *QUICK, status=1)
                    self.assertIn("is the input, which would be lost", done.stderr)
                done = self.run_program("file://" + os.path.abspath("same.mkv"), "-o", name, *QUICK, status=1)
                with open("same.mkv", "rb") as one, open("film.mkv", "rb") as other:
                    self.assertEqual(one.read(), other.read())

    def test_a_link_leads_to_the_new_film(self):
        shutil.copy("film.mkv", "target.mkv")
        os.symlink("target.mkv", "link.mkv")
        self.run_program("film.mp4", "-o", "link.mkv", *QUICK)
        self.assertTrue(os.path.islink("link.mkv"))
        self.assertEqual(play("target.mkv").frames, 100)

    def test_a_part_does_not_replace_a_film(self):
        for force, kept in ((False, "old.incomplete.mp4"), (True, "old.mp4")):
            with self.subTest(force=force):
                with open("old.mp4", "wb") as file:
                    file.write(b"precious")
                with self.start("old.mp4", *(["--force"] if force else [])) as process:
                    self.wait_for(".old.part.mp4", 10000)
                    process.send_signal(signal.SIGINT)
                    output, said = process.communicate(timeout=SECONDS)
                self.assertEqual(process.returncode, 130)
                self.assertIn(kept, said)
                self.assertEqual(play(kept).frames, json.loads(output)["frames"])
                if not force:
                    with open("old.mp4", "rb") as file:
                        self.assertEqual(file.read(), b"precious")

    def test_two_signals_at_once_are_one(self):
        for name, number, times in (("often.mp4", signal.SIGINT, 60), ("closed.mp4", signal.SIGHUP, 1)):
            with self.subTest(name), self.start(name) as process:
                self.wait_for(f".{name[:-4]}.part.mp4", 10000)
                # For a second, or until it ends: also while the file gets its name.
                for _ in range(times):
                    process.send_signal(number)
                    time.sleep(1 / 60)
                output = process.communicate(timeout=SECONDS)[0]
                self.assertEqual(process.returncode, 130)
                self.assertEqual(play(name).frames, json.loads(output)["frames"])

    def test_a_process_that_is_killed_leaves_a_film(self):
        for kind in "mp4", "mov", "mkv":
            with self.subTest(kind):
                part = f".killed.part.{kind}"
                with self.start("killed." + kind) as process:
                    self.wait_for(part, 100000)
                    process.kill()
                    process.communicate(timeout=SECONDS)
                self.assertGreater(frames_in(part), 20)
                # The next run does not destroy it.
                done = self.run_program("film.mp4", "-o", "killed." + kind, *QUICK)
                self.assertIn(f"an earlier run was cut off: what it wrote is in killed.incomplete.{kind}",
                              done.stderr)
                self.assertGreater(frames_in(f"killed.incomplete.{kind}"), 20)
                self.assertEqual(frames_in("killed." + kind), 100)

    def test_two_runs_do_not_write_one_file(self):
        with self.start("both.mp4") as process:
            self.wait_for(".both.part.mp4", 0)
            done = self.run_program("film.mp4", "-o", "both.mp4", *QUICK, status=1)
            self.assertIn("another mosaic-temporal is writing both.mp4", done.stderr)
            process.kill()
            process.communicate(timeout=SECONDS)

    def test_a_film_that_was_cut_off_is_not_whole(self):
        for source, name in (("film.mkv", "half.mkv"), ("front.mp4", "half.mp4")):
            with self.subTest(source):
                truncate(source, name, 0.5)
                done = self.run_program(name, "-o", "of-" + name, *QUICK, "--json", status=3)
                self.assertRegex(done.stderr, name + r" ends after \d\.\d of the 4\.\d seconds")
                stats = json.loads(done.stdout)
                self.assertEqual(len(stats["losses"]), 1)
                self.assertEqual(frames_in("of-" + name), stats["frames"])

    def test_sound_may_end_long_before_the_pictures(self):
        # And a track of which nothing is heard for a while. Matroska does not say where tracks end.
        launch("matroskamux name=mux ! filesink location=silence.mkv "
               "videotestsrc num-buffers=750 pattern=ball ! video/x-raw,width=64,height=48,framerate=25/1 ! "
               "x264enc speed-preset=ultrafast ! mux. "
               "audiotestsrc num-buffers=200 ! avenc_aac ! mux. "
               "audiotestsrc num-buffers=1290 ! avenc_aac ! aacparse ! mux.")
        for name in ("silence-made.mkv", "silence-made.mp4"):
            made = self.mosaic_of(name, "silence.mkv", *QUICK[2:], "--patience", "20")
            self.assertEqual(made["frames"], 750)
            self.assertEqual(made["losses"], [])

    def test_what_stands_still_ends(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), HalfServer)
        server.closing = threading.Event()
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            done = self.run_program(f"http://127.0.0.1:{server.server_port}/film.mp4", "-o", "still.mp4",
                                    *QUICK, "--patience", "3", status=3)
        finally:
            server.closing.set()
            server.shutdown()
            thread.join()
            server.server_close()
        self.assertRegex(done.stderr, r"nothing has moved for 3 seconds: .*nothing comes from http://")
        self.assertGreater(play("still.mp4").frames, 10)

    def start_camera(self, port):
        camera = subprocess.Popen([sys.executable, "-c", CAMERA, str(port)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(camera.stdout.close)
        self.addCleanup(camera.wait)
        self.addCleanup(camera.kill)
        self.assertEqual(camera.stdout.readline(), "ready\n")
        return camera

    def record(self, output, *more):
        """The program, and a function that waits until it says something."""
        program = subprocess.Popen([self.program, self.address, "-o", output, *QUICK, "--json", *more],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

        def wait_for_words(words):
            said = []
            while line := program.stderr.readline():
                said.append(line)
                if words in line:
                    return
            self.fail("".join(said))

        return program, wait_for_words

    def test_a_camera_that_goes_away(self):
        try:
            gi.require_version("GstRtspServer", "1.0")
        except ValueError:
            self.skipTest("no bindings of GStreamer's RTSP server")
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.address = f"rtsp://127.0.0.1:{port}/camera"
        camera = self.start_camera(port)
        for name, more in (("gone.mp4", ()), ("back.mp4", ("--reconnect", "100"))):
            with self.subTest(name):
                program, wait_for_words = self.record(name, *more)
                with program:
                    self.wait_for(f".{name[:-4]}.part.mp4", 8000)
                    camera.kill()
                    camera.wait()
                    if more:
                        wait_for_words("trying to connect again")
                        self.start_camera(port)
                        wait_for_words("the connection is back")
                        time.sleep(2)
                        program.send_signal(signal.SIGINT)
                    output, said = program.communicate(timeout=SECONDS)
                self.assertEqual(program.returncode, 130 if more else 3, said)
                # Late frames are repeated.
                self.assertGreaterEqual(frames_in(name), json.loads(output)["frames"])
                if not more:
                    self.assertIn(f"there is no connection to {self.address}", said)
                    camera = self.start_camera(port)


if __name__ == "__main__":
    main()
