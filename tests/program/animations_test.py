#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: animations_test.py PROGRAM: animated GIF and WebP files as films, each of whose pictures has a grey of
its own."""

import functools
import http.server
import itertools
import json
import math
import os
import subprocess
import threading

import gi
from PIL import Image, features

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from program_case import ProgramCase, main, samples  # noqa: E402

DARKEST, STEP = 30, 40
DELAYS = [100, 300, 60, 1000, 240]  # ms


def picture(number, step=STEP):
    return Image.new("RGB", (64, 48), (DARKEST + step * number,) * 3)


def write(name, delays, step=STEP):
    more = {"lossless": True} if name.endswith("webp") else {}
    picture(0).save(name, save_all=True, duration=delays, loop=0,
                    append_images=[picture(i, step) for i in range(1, len(delays))], **more)


def level_of(name):
    """The grey of a picture."""
    with Image.open(name) as image:
        darkest, brightest = image.convert("L").getextrema()
    assert darkest == brightest
    return darkest


def frames_of(name):
    """Each frame as its time in milliseconds and the number of its picture."""
    shown = samples(f"filesrc location={name} ! decodebin ! videoconvert ! video/x-raw,format=GRAY8 ! "
                    "appsink name=out sync=false")
    return [(round(sample.start / Gst.MSECOND), round((sample.data[0] - DARKEST) / STEP)) for sample in shown]


def times(delays, start=0, end=None):
    """(when, which) of each frame, at the rate that all pictures share."""
    ends = list(itertools.accumulate(delays))
    step = math.gcd(*delays)
    return [(time - start, sum(end <= time + step / 2 for end in ends)) for time in range(start, end or ends[-1], step)]


class Animations(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.kinds = ["gif"] + (["webp"] if features.check("webp_anim") and cls.has_loader("image/webp") else [])
        for kind in cls.kinds:
            write(f"uneven.{kind}", DELAYS)
            write(f"even.{kind}", [50] * 4)

    @staticmethod
    def has_loader(mime_type):
        gi.require_version("GdkPixbuf", "2.0")
        from gi.repository import GdkPixbuf
        return any(mime_type in loader.get_mime_types() for loader in GdkPixbuf.Pixbuf.get_formats())

    def film_of(self, source, name, *arguments, **more):
        done = self.run_program(source, "-o", name, "--tiles", "photos", "--size", "4x3", "--mix", "0", "--json",
                                *arguments, **more)
        return json.loads(done.stdout) if done.returncode == 0 else done

    def test_each_picture_has_its_time(self):
        for kind, containers in zip(self.kinds, (("mp4", "webm"), ("webm", "mp4"))):
            for source, delays, container in zip((f"uneven.{kind}", f"even.{kind}"), (DELAYS, [50] * 4), containers):
                with self.subTest(source, container=container):
                    stats = self.film_of(source, f"film.{container}")
                    self.assertEqual(frames_of(f"film.{container}"), times(delays))
                    self.assertEqual(stats["frames"], len(times(delays)))

    def test_the_last_picture_stays(self):
        self.film_of("even.gif", "whole.mp4")
        lasts = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", "whole.mp4"],
                               capture_output=True, text=True, check=True, timeout=60).stdout
        self.assertAlmostEqual(float(lasts), 0.2, delta=0.02)

    def test_a_part(self):
        for kind in self.kinds:
            # Within the second picture, to within the fourth.
            self.film_of(f"uneven.{kind}", "part.mp4", "--start", "0.25", "--end", "0.81")
            self.assertEqual(frames_of("part.mp4"), times(DELAYS, 250, 810))
        done = self.film_of("uneven.gif", "none.mp4", "--start", "3", status=1)
        self.assertIn("uneven.gif is 0:02 long: there is nothing after 0:03", done.stderr)

    def test_another_rate(self):
        self.film_of("uneven.gif", "rate.mp4", "--fps", "10", "--end", "0.4")
        self.assertEqual(frames_of("rate.mp4"), [(0, 0), (100, 1), (200, 1), (300, 1)])

    def test_a_picture_is_made_of_the_first(self):
        for kind in self.kinds:
            done = self.run_program(f"uneven.{kind}", "-o", "first.png", "--tiles", "photos", "--mix", "0")
            self.assertRegex(done.stderr, f"uneven.{kind} is an animation, and only its first picture is taken")
            self.assertEqual(level_of("first.png"), DARKEST)

    def test_pictures_are_numbered(self):
        self.film_of("uneven.gif", "all-%d.png")
        for frame, (_, number) in enumerate(times(DELAYS)):
            self.assertEqual(level_of(f"all-{frame}.png"), DARKEST + STEP * number)

    def test_times_that_share_no_rate(self):
        for kind in self.kinds[1:]:  # the times of GIF are multiples of 10 ms
            write(f"odd.{kind}", [33, 47] * 12, step=5)
            frames = self.film_of(f"odd.{kind}", "odd-%d.png")["frames"]
            shown = [(level_of(f"odd-{frame}.png") - DARKEST) / 5 for frame in range(frames)]
            self.assertEqual(len(shown), 29)
            self.assertEqual(shown, sorted(shown))
            self.assertEqual(set(shown), set(range(24)))

    def test_a_rate_that_gif_cannot_hold(self):
        """12 frames a second: of 83 ms, GIF makes 80 and 90."""
        write("twelve.gif", [80, 80, 90] * 8, step=5)
        self.assertEqual(self.film_of("twelve.gif", "twelve-%d.png")["frames"], 24)
        self.assertEqual([level_of(f"twelve-{frame}.png") for frame in range(24)],
                         [DARKEST + 5 * number for number in range(24)])

    def test_what_stays_of_earlier_pictures(self):
        """The second picture of the file is only what differs from the first."""
        first, second = picture(0), picture(0)
        second.paste((200,) * 3, (0, 0, 20, 20))
        first.save("small.gif", save_all=True, append_images=[second], duration=100)
        self.film_of("small.gif", "small-%d.png")
        with Image.open("small-1.png") as image:
            shown = image.convert("L")
            self.assertEqual((shown.getpixel((5, 5)), shown.getpixel((40, 40))), (200, DARKEST))

    def test_pictures_without_a_time_are_shown_as_browsers_do(self):
        write("hasty.gif", [10, 10, 10])
        self.film_of("hasty.gif", "hasty.mp4")
        self.assertEqual(frames_of("hasty.mp4"), times([100] * 3))

    def test_a_damaged_one(self):
        with open("uneven.gif", "rb") as file:
            whole = file.read()
        with open("damaged.gif", "wb") as file:
            file.write(whole[:len(whole) * 3 // 4])
        done = self.run_program("damaged.gif", "-o", "damaged.mp4", "--tiles", "photos", "--size", "4x3", status=1)
        self.assertIn("damaged.gif", done.stderr)

    def test_several(self):
        os.makedirs("several", exist_ok=True)
        self.run_program("even.gif", "uneven.gif", "-o", "several/", "--tiles", "photos", "--size", "4x3")
        self.assertEqual(sorted(os.listdir("several")), ["even.mp4", "uneven.mp4"])

    def test_the_printed_pipeline_makes_the_same_film(self):
        command = self.run_program("even.gif", "-o", "printed.mp4", "--tiles", "photos", "--size", "4x3", "--mix", "0",
                                   "--dry-run").stdout
        subprocess.run(command, shell=True, check=True, timeout=60, stdout=subprocess.DEVNULL)
        self.assertEqual(frames_of("printed.mp4"), times([50] * 4))

    def test_one_of_a_web_server(self):
        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

        handler = functools.partial(Quiet, directory=self.folder)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.film_of(f"http://127.0.0.1:{server.server_port}/uneven.gif", "web.mp4")
            server.shutdown()
        self.assertEqual(frames_of("web.mp4"), times(DELAYS))


if __name__ == "__main__":
    main()
