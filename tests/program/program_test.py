#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: program_test.py PROGRAM: mosaic-temporal as a user starts it."""

import glob
import os
import re
import resource
import signal
import subprocess
import threading

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

from pipelines import launch  # noqa: E402
from program_case import LONG_FRAMES, ProgramCase, long_film, main, samples  # noqa: E402

FRAMES = 50


def buffers(line):
    """What a pipeline whose sink is an appsink named out makes: a list of bytes."""
    return [sample.data for sample in samples(line)]


def caps_of(line):
    """The caps of what a pipeline whose sink is an appsink named out makes."""
    pipeline = Gst.parse_launch(line)
    pipeline.set_state(Gst.State.PLAYING)
    caps = pipeline.get_by_name("out").emit("try-pull-preroll", 60 * Gst.SECOND).get_caps()
    pipeline.set_state(Gst.State.NULL)
    return caps


class Program(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        launch(f"videotestsrc num-buffers={FRAMES} pattern=ball ! "
               "video/x-raw,format=I420,width=320,height=240,framerate=25/1 ! "
               "x264enc ! queue ! mux. audiotestsrc num-buffers=90 ! audio/x-raw,rate=44100 ! "
               "avenc_aac ! aacparse ! queue ! mux. mp4mux name=mux ! filesink location=clip.mp4")
        launch("videotestsrc num-buffers=1 ! video/x-raw,width=320,height=240 ! jpegenc ! "
               "filesink location=photo.jpg")

    def test_video_keeps_its_frames_and_its_sound(self):
        for name, parser in (("mosaic.mp4", "qtdemux"), ("mosaic.mkv", "matroskademux"),
                             ("mosaic.mov", "qtdemux")):
            with self.subTest(name):
                stats = self.mosaic_of(name, "clip.mp4", "--size", "8x6")
                self.assertEqual(
                    (stats["frames"], stats["width"], stats["height"], stats["fps"], stats["cells"]),
                    (FRAMES, 320, 240, 25, 48))
                self.assertEqual(stats["active_codec"], "avdec_h264")
                sound = "demux.audio_0 ! queue ! aacparse ! audio/mpeg,stream-format=raw ! appsink name=out sync=false"
                self.assertEqual(
                    buffers(f"filesrc location={name} ! {parser} name=demux {sound}"),
                    buffers(f"filesrc location=clip.mp4 ! qtdemux name=demux {sound}"))
                self.assertEqual(len(buffers(
                    f"filesrc location={name} ! decodebin name=in in. ! video/x-raw ! "
                    "appsink name=out sync=false")), FRAMES)

    def test_webm_gets_sound_of_its_own(self):
        stats = self.mosaic_of("mosaic.webm", "clip.mp4", "--seconds", "0.4")
        self.assertEqual((stats["frames"], stats["encoder"]), (10, "vp9enc"))
        self.assertTrue(buffers("filesrc location=mosaic.webm ! matroskademux ! audio/x-opus ! "
                                "appsink name=out sync=false"))

    def test_photo_is_the_elements_picture(self):
        # Without loss: the pixels of a JPEG depend on what decodes it.
        launch("videotestsrc num-buffers=1 ! video/x-raw,format=RGB,width=320,height=240 ! pngenc ! "
               "filesink location=photo.png")
        self.mosaic_of("mosaic.png", "photo.png", "--size", "16x12", "--output-size", "640x480",
                       "--preset", "film")
        picture = "! videoconvert ! video/x-raw,format=RGB ! appsink name=out sync=false"
        expected = buffers(
            "filesrc location=photo.png ! decodebin ! videoconvert ! mosaictemporal "
            "profile-name=film tile-location=photos size=16x12 ! video/x-raw,width=640,height=480 "
            + picture)
        drawn = buffers("filesrc location=mosaic.png ! pngdec " + picture)
        self.assertTrue(drawn == expected, "other pixels")  # a text of the difference takes minutes
        self.assertEqual(len(expected[0]), 640 * 480 * 3)

    def test_of_a_file_with_several_pictures_the_first_is_taken(self):
        launch("videotestsrc num-buffers=1 pattern=red ! video/x-raw,width=160,height=120 ! jpegenc ! "
               "filesink location=preview.jpg")
        with open("several.jpg", "wb") as several:
            for name in "photo.jpg", "preview.jpg":
                with open(name, "rb") as file:
                    several.write(file.read())
        for name in "photo.jpg", "several.jpg":
            self.mosaic_of(name + ".png", name, "--size", "16x12")
        with open("photo.jpg.png", "rb") as one, open("several.jpg.png", "rb") as other:
            self.assertEqual(one.read(), other.read())

    def test_a_terminal_shows_what_is_done_for_a_photo(self):
        # Drawing and writing take seconds, and the line changes five times a second.
        shown = self.shown_in_terminal("photo.jpg", "-o", "large.png", "--tiles", "photos", "--tile-size", "8",
                                       "--output-size", "4000x3000", "--n-threads", "1")
        lines = re.split(rb"[\r\n]+", shown.replace(b"\033[K", b""))
        for text in rb"drawing the mosaic, 0:\d\d", rb"writing the picture, 0:\d\d":
            self.assertTrue(any(re.fullmatch(text, line) for line in lines), lines)
        self.assertRegex(lines[-2], rb"^a picture of 4000x3000, 1200 cells, ")

    def test_frames_are_a_video_and_a_video_is_frames(self):
        os.mkdir("frames")
        self.mosaic_of("frames/f-%03d.png", "clip.mp4", "--seconds", "0.2")
        self.assertEqual(len(os.listdir("frames")), 5)
        for source in ("frames", "frames/f-%03d.png"):
            stats = self.mosaic_of("again.mp4", source, "--frames", "--fps", "10")
            self.assertEqual((stats["frames"], stats["fps"]), (5, 10))
        os.remove("frames/f-002.png")
        done = self.run_program("frames", "--frames", "-o", "again.mp4", status=1)
        self.assertIn("some numbers from 0 to 4 are missing", done.stderr)

    def test_video_has_8_bits_and_4_2_0_whatever_the_source_has(self):
        launch("videotestsrc num-buffers=5 pattern=ball ! "
               "video/x-raw,format=I420_10LE,width=160,height=120 ! x264enc ! "
               "video/x-h264,profile=high-10 ! mp4mux ! filesink location=deep.mp4")
        os.mkdir("colours")
        launch("videotestsrc num-buffers=5 ! video/x-raw,format=RGB,width=160,height=120 ! pngenc ! "
               "multifilesink location=colours/%d.png")
        for source in (["deep.mp4"], ["colours", "--frames"]):
            self.mosaic_of("plain.mp4", *source)
            caps = caps_of("filesrc location=plain.mp4 ! qtdemux ! h264parse ! appsink name=out")
            self.assertEqual([caps.get_structure(0).get_value(field) for field in
                              ("chroma-format", "bit-depth-luma", "bit-depth-chroma")], ["4:2:0", 8, 8])

    def test_dry_run_prints_the_pipeline(self):
        done = self.run_program("clip.mp4", "--tiles", "photos", "--size", "8x6", "-o",
                                "a \"name\" $x.mp4", "--dry-run")
        self.assertTrue(done.stdout.startswith("gst-launch-1.0 -e "))
        # Caps after a name are explicit elements, or GStreamer makes and drops elements at the start.
        self.assertNotRegex(done.stdout, r"\. ! \w+/")
        self.assertRegex(done.stdout, r"in\. ! capsfilter caps=video/x-h264 ! ")
        self.assertFalse(os.path.exists("a \"name\" $x.mp4"))
        subprocess.run(done.stdout, shell=True, check=True, timeout=240, stdout=subprocess.DEVNULL)
        self.assertGreater(os.path.getsize("a \"name\" $x.mp4"), 1000)

    def test_interrupted_file_can_be_played(self):
        launch(long_film("long.mkv"))
        stats = self.interrupted("long.mkv", "short.mp4")
        self.assertTrue(stats["interrupted"])
        self.assertLess(stats["frames"], LONG_FRAMES)
        self.assertEqual(len(buffers("filesrc location=short.mp4 ! decodebin name=in in. ! "
                                     "video/x-raw ! appsink name=out sync=false")),
                         stats["frames"])

    def test_failure_loses_nothing(self):
        def fill_disk():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

        os.mkdir("out")
        with open("out/old.mp4", "wb") as file:
            file.write(b"precious")
        # The limit holds for the cache, too, which only leads to a warning.
        done = self.run_program("clip.mp4", "-o", "out/old.mp4", status=1, preexec_fn=fill_disk)
        self.assertRegex(done.stderr, "mosaic-temporal: out/old.mp4: .*(writ|space)")
        self.run_program("clip.mp4", "-o", "out/old.mp4", "--tiles", "nowhere", status=1)
        self.assertEqual(os.listdir("out"), ["old.mp4"])
        with open("out/old.mp4", "rb") as file:
            self.assertEqual(file.read(), b"precious")

    def test_complaints(self):
        for arguments, status, text in (
                ((), 2, "no input was given"),
                (("clip.mp4",), 2, "no output was given"),
                (("clip.mp4", "-o", "a.avi"), 2, "must end in .mp4"),
                (("clip.mp4", "-o", "a.png"), 2, "frame-%05d.png"),
                (("camera", "-o", "a.png"), 2, "frame-%05d.png"),
                (("photo.jpg", "-o", "a.mp4"), 2, "must end in .png or .jpg"),
                (("clip.mp4", "other.mp4", "-o", "a.mp4"), 2, "only one input"),
                (("clip.mp4", "-o", "a.mp4", "--beta", "7"), 2, "--beta 7: it is out of range"),
                (("clip.mp4", "-o", "a.mp4", "--solver", "magic"), 2, "--solver magic"),
                (("clip.mp4", "-o", "a.mp4", "--fidelty", "1"), 2, "--fidelty"),
                (("clip.mp4", "-o", "a.mp4", "--fps", "x"), 2, "--fps x"),
                (("clip.mp4", "-o", "a.mp4", "--output-size", "9"), 2, "WIDTHxHEIGHT"),
                (("clip.mp4", "-o", "a.mp4", "--cq", "99"), 2, "--cq 99"),
                (("clip.mp4", "-o", "a.mp4", "--codec", "hvec"), 2, "did you mean hevc?"),
                (("clip.mp4", "-o", "a.webm", "--codec", "hevc"), 2, "--codec hevc: .webm cannot hold it"),
                (("clip.mp4", "-o", "a-%d.png", "--codec", "hevc"), 2, "--codec hevc: .png cannot hold it"),
                (("missing.mp4", "-o", "a.mp4"), 1, "missing.mp4: "),
                (("photos", "-o", "a.mp4"), 1, "photos: "),
                (("clip.mp4", "-o", "no/such/a.mp4"), 1, "cannot be written"),
                (("clip.mp4", "-o", "a.mp4", "--tiles", "nowhere"), 1, "nowhere"),
                (("clip.mp4", "-o", "a.mp4", "--preset", "none"), 1, "there is no profile none"),
        ):
            with self.subTest(arguments):
                done = self.run_program(*arguments, status=status)
                self.assertIn(text, done.stderr)
                self.assertTrue(done.stderr.splitlines()[-1].startswith("mosaic-temporal: "))
                self.assertFalse(os.path.exists("a.mp4"))

    def test_without_a_camera_no_test_picture_is_taken(self):
        if glob.glob("/dev/video*"):
            self.skipTest("there is a camera")
        done = self.run_program("camera", "-o", "none.mp4", status=1)
        self.assertRegex(done.stderr.splitlines()[-1], "^mosaic-temporal: camera: no camera was found")
        self.assertFalse(os.path.exists("none.mp4"))

    def test_network_camera(self):
        try:
            gi.require_version("GstRtspServer", "1.0")
            from gi.repository import GstRtspServer
        except (ImportError, ValueError):
            self.skipTest("no bindings of GStreamer's RTSP server")
        context = GLib.MainContext()
        server = GstRtspServer.RTSPServer(service="0", address="127.0.0.1")
        factory = GstRtspServer.RTSPMediaFactory(
            launch="( videotestsrc is-live=true ! video/x-raw,width=160,height=120,framerate=25/1 ! "
                   "x264enc tune=zerolatency ! rtph264pay name=pay0 pt=96 )")
        server.get_mount_points().add_factory("/camera", factory)
        server.attach(context)
        loop = GLib.MainLoop(context)
        thread = threading.Thread(target=loop.run)
        thread.start()
        try:
            stats = self.mosaic_of("camera.mp4",
                                   f"rtsp://127.0.0.1:{server.get_bound_port()}/camera",
                                   "--seconds", "3", "--size", "8x6")
        finally:
            loop.quit()
            thread.join()
        self.assertGreater(stats["frames"], 0)
        self.assertEqual((stats["width"], stats["height"]), (160, 120))

    def test_help(self):
        self.assertIn("--output", self.run_program("--help").stdout)
        self.assertIn("--tile-size", self.run_program("--help-properties").stdout)
        self.assertRegex(self.run_program("--version").stdout, r"^mosaic-temporal \d+\.\d+")


if __name__ == "__main__":
    main()
