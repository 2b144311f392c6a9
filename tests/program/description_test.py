#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: description_test.py PROGRAM: what films say of themselves is kept.

MOSAIC_SAMPLE_EVERY=1 in the environment tries all kinds of films, else a few."""

import json
import os
import re
import shutil
import subprocess

from program_case import ProgramCase, ffmpeg, main

CHAPTERS = """;FFMETADATA1
title=Uncle's \\"film\\" \\\\ über alles
artist=Me & You
comment=Two\\
lines
[CHAPTER]
TIMEBASE=1/1000
START=0
END=1000
title=The beginning
[CHAPTER]
TIMEBASE=1/1000
START=1000
END=3000
title=The "end"
"""
TITLE = "Uncle's \"film\" \\ über alles"
CREATED, PLACE = "2020-02-03T04:05:06.000000Z", "+48.8577+002.2950/"
QUICK = ("--tiles", "photos", "--size", "4x3", "-q")
ALL = os.environ.get("MOSAIC_SAMPLE_EVERY") == "1"
KINDS = ("mp4", "mov", "mkv", "webm", "m4v") if ALL else ("mp4", "mkv")


class Found:
    """What ffprobe finds in a film."""

    def __init__(self, path):
        said = subprocess.run(["ffprobe", "-v", "error", "-show_chapters", "-show_format", "-show_streams",
                               "-count_frames", "-of", "json", path], check=True, capture_output=True,
                              text=True, timeout=120).stdout
        said = json.loads(said)
        self.tags = {name.lower(): text for name, text in said["format"].get("tags", {}).items()}
        self.duration = float(said["format"]["duration"])
        streams = said["streams"]
        self.covers = [s["codec_name"] for s in streams if s["disposition"]["attached_pic"]]
        self.frames = [int(s["nb_read_frames"]) for s in streams
                       if s["codec_type"] == "video" and not s["disposition"]["attached_pic"]]
        self.sounds = [(s["codec_name"], s["disposition"]["default"], s.get("tags", {}).get("language"),
                        s.get("tags", {}).get("title")) for s in streams if s["codec_type"] == "audio"]
        self.chapters = [(float(c["start_time"]), float(c["end_time"]), c["tags"]["title"])
                         for c in said["chapters"]]


def pictures_of(path):
    """The sums of all decoded pictures, with their times."""
    return subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-f", "framemd5", "-"],
                          check=True, capture_output=True, text=True, timeout=120).stdout


class Description(ProgramCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with open("words.txt", "w", encoding="utf-8") as file:
            file.write(CHAPTERS)
        video = ("-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=3", "-c:v", "libx264", "-bf", "2")
        ffmpeg("-f", "lavfi", "-i", "color=red:size=32x48:duration=0.1", "-frames:v", "1", "cover.jpg")
        ffmpeg(*video[:4], "-f", "lavfi", "-i", "sine=duration=3", "-f", "lavfi", "-i",
               "sine=frequency=880:duration=3", "-i", "words.txt", "-map", "0", "-map", "1", "-map", "2",
               "-map_metadata", "3", "-metadata", f"creation_time={CREATED}", "-metadata", f"location={PLACE}",
               "-metadata:s:a:0", "language=deu", "-metadata:s:a:1", "language=eng",
               "-disposition:a:0", "0", "-disposition:a:1", "default", *video[4:], "-c:a", "aac", "bare.mp4")
        ffmpeg("-i", "bare.mp4", "-i", "cover.jpg", "-map", "0:v", "-map", "0:a", "-map", "1", "-c", "copy",
               "-map_metadata", "0", "-metadata", f"creation_time={CREATED}",
               "-disposition:v:1", "attached_pic", "film.mp4")
        ffmpeg("-i", "bare.mp4", "-map", "0:v", "-map", "0:a", "-c", "copy", "-attach", "cover.jpg",
               "-metadata:s:t", "mimetype=image/jpeg", "-metadata:s:a:0", "title=Deutsch",
               "-metadata:s:a:1", "title=Aside: \"ü\"", "-metadata", f"creation_time={CREATED}", "film.mkv")

    def test_everything_is_kept(self):
        for source in ("film.mp4", "film.mkv"):
            for kind in KINDS:
                if not ALL and source.endswith(kind):
                    continue
                with self.subTest(f"{source} {kind}"):
                    name = f"{source[-3:]}-kept.{kind}"
                    self.run_program(source, "-o", name, *QUICK)
                    found = Found(name)
                    self.assertEqual(found.frames, [30])
                    self.assertAlmostEqual(found.duration, 3, delta=0.1)
                    self.assertEqual(found.tags["title"], TITLE)
                    self.assertEqual(found.tags["artist"], "Me & You")
                    self.assertEqual(found.tags["comment"], "Two\nlines")
                    self.assertEqual(found.tags["location"], PLACE)
                    self.assertEqual(found.tags["creation_time"], CREATED)
                    self.assertEqual(found.chapters, [(0, 1, "The beginning"), (1, 3, 'The "end"')])
                    # WebM has no covers, and GStreamer writes none into MOV.
                    self.assertEqual(found.covers, [] if kind in ("webm", "mov") else ["mjpeg"])
                    titles = ["Deutsch", 'Aside: "ü"'] if source == "film.mkv" else [None, None]
                    if kind in ("mp4", "m4v", "mov"):
                        titles = [None, None]  # a name of a track is not in these
                    codec = "opus" if kind == "webm" else "aac"
                    german = "deu" if kind in ("mp4", "m4v") else "ger"
                    self.assertEqual(found.sounds, [(codec, 0, german, titles[0]), (codec, 1, "eng", titles[1])])

    def test_a_part_has_its_chapters(self):
        self.run_program("film.mp4", "-o", "part.mkv", "--start", "0.5", "--end", "2", *QUICK)
        self.assertEqual(Found("part.mkv").chapters, [(0, 0.5, "The beginning"), (0.5, 1.5, 'The "end"')])

    def test_chapters_without_an_end(self):
        """They end where the next begins, and the last one with the film."""
        with open("film.mkv", "rb") as file:
            before, chapters, after = file.read().rpartition(bytes.fromhex("1043a770"))
        end, void = bytes.fromhex("9284"), bytes.fromhex("ec84")  # ChapterTimeEnd with 4 bytes; Void
        self.assertEqual(after[:400].count(end), 2)
        with open("endless.mkv", "wb") as file:
            file.write(before + chapters + after[:400].replace(end, void) + after[400:])
        self.run_program("endless.mkv", "-o", "ended.mkv", *QUICK)
        (first, second) = Found("ended.mkv").chapters
        self.assertEqual((first, second[0], second[2]), ((0, 1, "The beginning"), 1, 'The "end"'))
        self.assertAlmostEqual(second[1], 3, delta=0.1)

    def test_another_codec(self):
        """Pictures of HEVC come in another order, of which Matroska says nothing."""
        self.run_program("film.mp4", "-o", "hevc.mkv", "--codec", "hevc", *QUICK)
        found = Found("hevc.mkv")
        self.assertEqual((found.frames, found.tags["title"]), ([30], TITLE))

    def test_nothing_else_is_changed(self):
        """The same pictures at the same times as of a film that says nothing."""
        ffmpeg("-i", "bare.mp4", "-map", "0:v", "-map", "0:a:0", "-c", "copy", "-map_metadata", "-1",
               "-map_chapters", "-1", "-fflags", "+bitexact", "silent.mp4")
        ffmpeg("-i", "silent.mp4", "-i", "words.txt", "-map_metadata", "1", "-c", "copy", "said.mp4")
        for kind in KINDS[:3] if ALL else KINDS[:1]:
            with self.subTest(kind):
                for name in ("silent", "said"):
                    self.run_program(f"{name}.mp4", "-o", f"{name}-made.{kind}", *QUICK)
                self.assertEqual(pictures_of(f"said-made.{kind}"), pictures_of(f"silent-made.{kind}"))
                self.assertEqual(Found(f"said-made.{kind}").tags["title"], TITLE)

    def test_samples_of_floating_point(self):
        """qtdemux takes all of them for big-endian."""
        for codec in ("pcm_f32le", "pcm_f32be", "pcm_f64le") if ALL else ("pcm_f32le",):
            ffmpeg("-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=1", "-f", "lavfi", "-i",
                   "sine=duration=1", "-c:v", "libx264", "-c:a", codec, f"{codec}.mov")
            for kind in ("mkv", "mp4") if ALL else ("mkv",):
                with self.subTest(f"{codec} {kind}"):
                    self.run_program(f"{codec}.mov", "-o", f"{codec}.{kind}", *QUICK)
                    said = subprocess.run(["ffmpeg", "-i", f"{codec}.{kind}", "-af", "volumedetect", "-f", "null", "-"],
                                          check=True, capture_output=True, text=True, timeout=120).stderr
                    self.assertAlmostEqual(float(re.search("max_volume: (.*) dB", said)[1]), -18, delta=4)

    def test_without_room_the_film_stays(self):
        """The film fits on the disk, and with its large cover it does not."""
        ffmpeg("-f", "lavfi", "-i", "nullsrc=size=700x700:duration=0.1,geq=random(1)*255:128:128", "-frames:v", "1",
               "-q:v", "2", "large.jpg")
        ffmpeg("-i", "bare.mp4", "-map", "0:v", "-map", "0:a", "-c", "copy", "-attach", "large.jpg",
               "-metadata:s:t", "mimetype=image/jpeg", "large.mkv")
        limit = os.path.getsize("large.jpg") // 1024  # in the unit of `ulimit -f`
        done = self.run_program("-c", f"ulimit -f {limit}; trap '' XFSZ; exec \"$@\"", "-", self.program,
                                "large.mkv", "-o", "stays.mkv", *QUICK, program="bash")
        self.assertIn("were not kept: File too large", done.stderr)
        self.assertEqual(Found("stays.mkv").frames, [30])
        self.assertEqual([name for name in os.listdir() if "described" in name], [])


if __name__ == "__main__":
    if not shutil.which("ffmpeg"):
        raise SystemExit(77)  # meson: skipped
    main()
