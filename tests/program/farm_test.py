#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests of films that are made part by part: farm_test.py PROGRAM

The film has three scenes of 300 frames, with cuts between them. Mosaics are encoded without loss, so
that decoded frames are those that were drawn. MOSAIC_SAMPLE_EVERY=1 in the environment tries all looks,
else one.
"""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import time

from program_case import ProgramCase, ffmpeg, main, samples

SECOND = 10**9  # nanoseconds

FRAMES, RATE, WIDTH, HEIGHT = 900, 25, 160, 96
LOOK = ["--tiles", "photos", "--size", "10x6", "--cq", "0", "--quiet"]
WINDOW, OVERLAP = 200, 16
LOOKS = [["--preset", "plain", "--lookahead", "8"], ["--temporal-blend", "9"], ["--coherence", "none"],
         ["--flow", "block"]]
ALL = os.environ.get("MOSAIC_SAMPLE_EVERY") == "1"


def make_film(path):
    for number, source in enumerate(["testsrc", "mandelbrot", "rgbtestsrc"]):
        ffmpeg("-f", "lavfi", "-i", f"{source}=size={WIDTH}x{HEIGHT}:rate={RATE}", "-frames:v", "300",
               "-pix_fmt", "yuv420p", "-qp", "0", f"scene{number}.mkv")
    with open("scenes.txt", "w", encoding="utf-8") as scenes_file:
        scenes_file.writelines(f"file 'scene{number}.mkv'\n" for number in range(3))
    ffmpeg("-f", "concat", "-i", "scenes.txt", "-f", "lavfi", "-i",
           f"sine=frequency=400:duration={FRAMES / RATE}", "-c:v", "libx264", "-qp", "10", "-g", "50",
           "-c:a", "aac", "-metadata", "title=Three scenes", "-shortest", path)


def frames_of(path):
    line = (f"filesrc location={path} ! decodebin ! video/x-raw ! videoconvert ! "
            "video/x-raw,format=I420 ! appsink name=out sync=false max-buffers=8")
    return samples(line)


def md5_of_file(path):
    with open(path, "rb") as file:
        return hashlib.md5(file.read()).hexdigest()


def working_files(job):
    return frozenset(name for name in os.listdir(job) if name.startswith(".working"))


def plan_of(job):
    with open(f"{job}/plan.json", encoding="utf-8") as file:
        return json.load(file)


class Farm(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        make_film("film.mp4")

    def plan(self, job, *more, film="film.mp4", status=0):
        return self.run_program("plan", film, *LOOK, "-o", job, *more, status=status)

    def part(self, number, job, status=0):
        return self.run_program("part", str(number), job, "--quiet", "--n-threads", "1", status=status)

    def made(self, job, film, *more, order=None):
        """Plans, makes and joins; returns the plan."""
        self.plan(job, *more)
        plan = plan_of(job)
        for number in order or range(len(plan["parts"])):
            self.part(number, job)
        self.run_program("join", job, "-o", film, "--quiet")
        return plan

    def test_parts_at_cuts_are_the_frames_of_one_process(self):
        plan = self.made("cuts", "cuts.mkv", order=[2, 0, 1])
        self.assertEqual([part["own"] for part in plan["parts"]], [[0, 300], [300, 600], [600, 900]])
        self.run_program("film.mp4", *LOOK, "-o", "one.mkv")
        joined, one = frames_of("cuts.mkv"), frames_of("one.mkv")
        self.assertEqual(len(joined), FRAMES)
        for number, (frame, other) in enumerate(zip(joined, one, strict=True)):
            self.assertEqual(frame.data, other.data, f"frame {number}")
            self.assertLess(abs(frame.start - other.start), SECOND / 500)

    def test_looks_that_depend_on_more_frames_are_the_same_too(self):
        for look in LOOKS if ALL else LOOKS[:1]:
            with self.subTest(look=look):
                shutil.rmtree("looks", ignore_errors=True)
                self.made("looks", "looks.mkv", *look, "--end", "16")
                self.run_program("film.mp4", *LOOK, *look, "--end", "16", "-o", "look.mkv")
                joined, one = frames_of("looks.mkv"), frames_of("look.mkv")
                self.assertEqual([frame.data for frame in joined], [frame.data for frame in one])

    def test_inside_a_take_parts_are_mixed_where_the_film_rests(self):
        still = range(150, 176)  # frames that are equal
        ffmpeg("-f", "lavfi", "-i", f"testsrc2=size={WIDTH}x{HEIGHT}:rate={RATE},loop=25:1:150", "-frames:v", "300",
               "-pix_fmt", "yuv420p", "-qp", "10", "rests.mkv")
        self.plan("rests", "--window-frames", str(WINDOW), "--window-frames-overlap", str(OVERLAP), film="rests.mkv")
        first, second = [part["frames"] for part in plan_of("rests")["parts"]]
        self.assertEqual(first[1] - second[0], OVERLAP)
        self.assertIn(second[0], still)
        self.assertIn(first[1] - 1, still)

    def test_inside_a_take_parts_are_mixed(self):
        windows = ["--window-frames", str(WINDOW), "--window-frames-overlap", str(OVERLAP)]
        plan = self.made("mixed", "mixed.mkv", *windows)
        self.assertEqual(len(plan["parts"]), 6)
        joined = [frame.data for frame in frames_of("mixed.mkv")]
        self.assertEqual(len(joined), FRAMES)
        first, second = plan["parts"][0], plan["parts"][1]
        begin, end = second["frames"][0], first["frames"][1]
        self.assertEqual((begin, end), (WINDOW - OVERLAP, WINDOW))
        size = WIDTH * HEIGHT * 3 // 2
        with open("mixed/part-00000.frames", "rb") as file:
            earlier = file.read()
        with open("mixed/part-00001.frames", "rb") as file:
            later = file.read()
        self.assertEqual(len(earlier), OVERLAP * size)
        self.assertNotEqual(earlier, later[:OVERLAP * size])
        for i in range(OVERLAP):
            share = (i + 1) / (OVERLAP + 1)
            for a, b, mixed in zip(earlier[i * size:(i + 1) * size], later[i * size:], joined[begin + i]):
                self.assertLess(abs(a + (b - a) * share - mixed), 0.51 + 1 / 64)
        # Up to the first joint nothing is different.
        self.run_program("film.mp4", *LOOK, "--end", "8", "-o", "begin.mkv")
        self.assertEqual(joined[:begin], [frame.data for frame in frames_of("begin.mkv")][:begin])

    def test_any_order_and_any_accident_give_the_same_file(self):
        # Encoded with loss, by threads: some encoders' bytes would depend on when which of them ran.
        windows = ["--window-frames", str(WINDOW), "--window-frames-overlap", str(OVERLAP), "--cq", "21"]
        self.made("once", "once.mp4", *windows)
        self.plan("again", *windows)
        numbers = list(range(6))
        random.Random(5).shuffle(numbers)
        for number in numbers[:3]:
            self.killed(number, "again")
        # Two processes make the same part.
        both = [subprocess.Popen([self.program, "part", "4", "again", "--quiet"],
                                 stdout=subprocess.PIPE) for _ in range(2)]
        said = [json.loads(process.communicate(timeout=120)[0]) for process in both]
        self.assertEqual([process.returncode for process in both], [0, 0])
        self.assertEqual(said[0]["md5"], said[1]["md5"])
        for number in numbers:
            self.part(number, "again")
        self.assertEqual(working_files("again"), self.left)
        time.sleep(1.1)  # what says when it was made would differ
        self.run_program("join", "again", "-o", "again.mp4", "--quiet")
        self.assertEqual(md5_of_file("once.mp4"), md5_of_file("again.mp4"))
        self.run_program("film.mp4", *LOOK, *windows, "--jobs", "3", "-o", "jobs.mp4")
        self.assertEqual(md5_of_file("once.mp4"), md5_of_file("jobs.mp4"))
        self.assertNotIn(".jobs.mp4.job", os.listdir())

    left = frozenset()

    def killed(self, number, job):
        """Kills a process that makes a part when it has written something."""
        before = working_files(job)
        with subprocess.Popen([self.program, "part", str(number), job, "--quiet", "--n-threads", "1"],
                              stdout=subprocess.DEVNULL) as process:
            while process.poll() is None and not any(
                    os.path.getsize(f"{job}/{name}") for name in working_files(job) - before
                    if name.endswith(".mkv")):
                time.sleep(0.01)
            process.kill()
        self.assertNotIn(f"part-{number:05d}.json", os.listdir(job))
        self.left = working_files(job)

    def test_says_what_was_done(self):
        self.plan("status")
        self.run_program("status", "status", status=3)
        said = json.loads(self.part(1, "status").stdout)
        decoded = frames_of("status/part-00001.mkv")
        self.assertEqual(said["frames"], len(decoded))
        self.assertEqual(said["md5"], hashlib.md5(b"".join(frame.data for frame in decoded)).hexdigest())
        again = json.loads(self.part(1, "status").stdout)
        self.assertEqual(again["md5"], said["md5"])
        status = json.loads(self.run_program("status", "status", "--json", status=3).stdout)
        self.assertEqual(status, {"parts": 3, "made": 1, "missing": "0, 2"})
        done = self.run_program("join", "status", "-o", "no.mkv", status=75)
        self.assertIn("not made yet: 0, 2", done.stderr)
        self.assertNotIn("no.mkv", os.listdir())

    def test_sound_and_titles_come_from_the_film(self):
        self.made("sound", "sound.mp4")
        probed = json.loads(subprocess.run(
            ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", "sound.mp4"],
            capture_output=True, check=True).stdout)
        self.assertEqual(probed["format"]["tags"]["title"], "Three scenes")
        video, sound = sorted(probed["streams"], key=lambda stream: stream["codec_type"] == "audio")
        self.assertEqual(int(video["nb_frames"]), FRAMES)
        self.assertAlmostEqual(float(video["duration"]), FRAMES / RATE, delta=1e-3)
        self.assertAlmostEqual(float(sound["duration"]), FRAMES / RATE, delta=1 / RATE)
        self.assertAlmostEqual(float(video["start_time"]), float(sound["start_time"]), delta=1 / RATE)

    def test_a_part_of_the_film(self):
        self.made("excerpt", "excerpt.mkv", "--start", "8", "--end", "20")
        frames = frames_of("excerpt.mkv")
        self.run_program("film.mp4", *LOOK, "--start", "8", "--end", "20", "-o", "excerpt-one.mkv")
        self.assertEqual([frame.data for frame in frames],
                         [frame.data for frame in frames_of("excerpt-one.mkv")])

    def test_films_that_cannot_be_sought_in(self):
        ffmpeg("-i", "film.mp4", "-c:v", "copy", "-bsf:v", "h264_mp4toannexb", "film.h264")
        self.plan("bare", film="film.h264")
        for number in (0, 1, 2):
            self.part(number, "bare")
        self.run_program("join", "bare", "-o", "bare.mkv", "--quiet")
        self.run_program("film.h264", *LOOK, "-o", "bare-one.mkv")
        self.assertEqual([frame.data for frame in frames_of("bare.mkv")],
                         [frame.data for frame in frames_of("bare-one.mkv")])

    def test_refuses_what_is_no_plan(self):
        self.plan("bad")
        self.assertIn("parts 0 to 2", self.part(3, "bad", status=2).stderr)
        self.part("x", "bad", status=2)
        self.assertIn("nowhere", self.part(0, "nowhere", status=75).stderr)
        plan = plan_of("bad")
        for change in ({"parts": 5}, {"format": 2}, {"settings": []}, {"frames_hash": "0"},
                       {"parts": [dict(plan["parts"][0], own=[0, 10**9])]}, {"parts": []},
                       {"video": dict(plan["video"], fps="25/1 ! filesink location=written videotestsrc")},
                       {"video": dict(plan["video"], codec="none")},
                       {"settings": {"name": "other"}}, {"settings": {"tile-size=8 ! filesink": "x"}},
                       {"windows": {"frames": 0, "overlap": -1}}):
            with open("bad/plan.json", "w", encoding="utf-8") as file:
                json.dump(dict(plan, **change), file)
            self.assertIn("plan the film again", self.part(0, "bad", status=1).stderr)
        self.assertNotIn("written", os.listdir())
        for text in ("no JSON", '{"parts": ' + "[" * 10**6):
            with open("bad/plan.json", "w", encoding="utf-8") as file:
                file.write(text)
            self.part(0, "bad", status=1)

    def test_other_files_are_left_alone(self):
        os.makedirs("mine/photos")
        shutil.copy("film.mp4", "mine/photos/plan.json")
        for folder in ("mine", "photos"):
            self.assertIn("other files", self.plan(folder, status=2).stderr)
        self.assertEqual(os.listdir("mine/photos"), ["plan.json"])

    def test_photos_that_were_changed_are_noticed(self):
        shutil.copytree("photos", "own")
        self.plan("own-job", "--tiles", "own")
        self.part(0, "own-job")
        os.utime(f"own/{os.listdir('own')[0]}", (1, 1))
        self.assertIn("not those that were planned", self.part(1, "own-job", status=75).stderr)
        self.assertNotIn("part-00001.json", os.listdir("own-job"))

    def test_a_film_with_something_missing_replaces_none(self):
        ffmpeg("-i", "film.mp4", "-c", "copy", "cut.mkv")
        os.truncate("cut.mkv", os.path.getsize("cut.mkv") * 2 // 3)
        shutil.copy("film.mp4", "older.mkv")
        done = self.run_program("cut.mkv", *LOOK, "--jobs", "2", "-o", "older.mkv", status=3)
        self.assertIn("older.incomplete.mkv", done.stderr)
        self.assertEqual(md5_of_file("older.mkv"), md5_of_file("film.mp4"))
        self.assertGreater(len(frames_of("older.incomplete.mkv")), 300)

    def test_the_output_is_looked_at_first(self):
        for name, why in (("a.avi", "must end in"), ("a.png", "cannot hold"), ("a.mosaic", "cannot hold")):
            done = self.run_program("film.mp4", *LOOK, "--jobs", "2", "-o", name, status=2)
            self.assertIn(why, done.stderr)
            self.assertNotIn(f".{name}.job", os.listdir())

    def test_refuses_another_film(self):
        shutil.copy("film.mp4", "changing.mp4")
        self.plan("changed", film="changing.mp4")
        self.part(0, "changed")
        with open("changing.mp4", "r+b") as file:
            film = bytearray(file.read())
            middle = len(film) // 2
            film[middle:middle + 2000] = bytes(2000)
            file.seek(0)
            file.write(film)
        self.assertIn("not the one that was planned", self.part(1, "changed", status=1).stderr)
        os.remove("changing.mp4")
        self.part(2, "changed", status=75)

    def test_refuses_damaged_parts(self):
        self.made("damaged", "damaged.mkv")
        with open("damaged/part-00001.mkv", "r+b") as file:
            file.seek(1000)
            file.write(b"damage")
        done = self.run_program("join", "damaged", "-o", "damaged.mkv", status=1)
        self.assertIn("part-00001.mkv is damaged", done.stderr)
        os.remove("damaged/part-00001.mkv")
        self.run_program("status", "damaged", status=3)
        self.part(1, "damaged")
        self.run_program("join", "damaged", "-o", "mended.mkv", "--quiet")
        self.assertEqual(md5_of_file("damaged.mkv"), md5_of_file("mended.mkv"))

    def test_a_plan_is_only_for_films(self):
        for arguments, why in (([f"photos/{os.listdir('photos')[0]}"], "only films"), (["camera"], "only films"),
                               (["film.mp4", "--window-frames", "20"], "multiple of 8"),
                               (["film.mp4", "--max-solve-time", "5"], "max-solve-time"),
                               (["film.mp4", "film.mp4"], "one input")):
            done = self.run_program("plan", *arguments, "-o", "refused", "--quiet", status=2)
            self.assertIn(why, done.stderr)
        self.assertIn("nothing.mp4", self.run_program("plan", "nothing.mp4", "-o", "refused",
                                                      status=1).stderr)

    def test_stopped_jobs_go_on(self):
        arguments = [self.program, "film.mp4", *LOOK, "--jobs", "2", "-o", "stopped.mp4"]
        with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
            while not os.path.exists(".stopped.mp4.job/part-00000.json"):
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=120)[1]
        self.assertEqual(process.returncode, 130, said)
        self.assertIn("the same command goes on", said)
        made = os.stat(".stopped.mp4.job/part-00000.mkv").st_mtime_ns
        self.assertNotIn("stopped.mp4", os.listdir())
        self.run_program("film.mp4", *LOOK, "-o", "whole.mkv", "--jobs", "1")
        self.assertTrue(os.path.exists(".stopped.mp4.job/part-00000.mkv"))
        self.assertEqual(made, os.stat(".stopped.mp4.job/part-00000.mkv").st_mtime_ns)
        self.run_program(*arguments[1:])
        self.assertEqual(len(frames_of("stopped.mp4")), FRAMES)
        self.assertNotIn(".stopped.mp4.job", os.listdir())


if __name__ == "__main__":
    main()
