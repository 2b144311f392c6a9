#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: films_test.py PROGRAM: films that mosaic-temporal is given, and what it has to make of them.

Each line of the table is a command; a new case is a new line. MOSAIC_SAMPLE_EVERY=1 in the environment
runs every line (tests/sampling.h), else a sample of those that are not marked `always`.
"""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from films import can_make, make_film, play
from pipelines import launch
from program_case import ProgramCase, main

EVERY = min(12, int(os.environ.get("MOSAIC_SAMPLE_EVERY", "12") or 12))
SECONDS_PER_LINE = 240  # the time that tests may take when everything runs at once
AT_ONCE = 2
COMMON = ["--tiles", "photos", "--size", "8x6", "--n-threads", "1", "--quiet"]

H264, HEVC, AV1, VP9 = "video/x-h264", "video/x-h265", "video/x-av1", "video/x-vp9"
AAC, OPUS = "audio/mpeg", "audio/x-opus"
# What a file can hold, by the names of `SOUNDS`, and what becomes of other sounds.
HELD = {
    "mkv": ["aac", "ac3", "adpcm", "alaw", "eac3", "flac", "float", "mp2", "mp3", "mulaw", "opus", "pcm",
            "pcm24", "speex", "vorbis", "wma"],
    "mov": ["aac", "ac3", "adpcm", "alac", "alaw", "amr", "mp2", "mp3", "mulaw", "opus", "pcm", "pcm24"],
    "mp4": ["aac", "ac3", "alac", "mp2", "mp3", "opus"],
    "webm": ["opus", "vorbis"],
}
TYPES = {"aac": AAC, "ac3": "audio/x-ac3", "adpcm": "audio/x-adpcm", "alac": "audio/x-alac",
         "alaw": "audio/x-alaw", "amr": "audio/AMR", "eac3": "audio/x-eac3", "flac": "audio/x-flac",
         "float": "audio/x-raw", "mp2": "audio/mpeg,layer=2", "mp3": "audio/mpeg,layer=3",
         "mulaw": "audio/x-mulaw", "opus": OPUS, "pcm": "audio/x-raw", "pcm24": "audio/x-raw",
         "speex": "audio/x-speex", "vorbis": "audio/x-vorbis", "wma": "audio/x-wma"}
# Which sounds the films that are read hold.
READ = {"mkv": HELD["mkv"], "mov": HELD["mov"], "webm": HELD["webm"],
        "ts": ["aac", "ac3", "mp2", "mp3", "opus"], "avi": ["aac", "ac3", "mp3", "pcm", "wma"]}

SURROUND = ("videotestsrc num-buffers=25 ! video/x-raw,width=64,height=48,framerate=25/1 ! x264enc ! queue ! "
            "out.video_0 audiotestsrc samplesperbuffer=480 num-buffers=100 ! audio/x-raw,format=S16LE,rate=48000,"
            "channels=8,channel-mask=(bitmask){} ! {}queue ! out.audio_0 {} name=out")
# Films that are not made of the names of sounds: pipelines, of which a muxer is the last element.
MADE = {
    "cover.mov": (
        "videotestsrc num-buffers=1 pattern=red ! video/x-raw,width=64,height=64,framerate=1/1 ! jpegenc ! "
        "queue ! out.video_0 videotestsrc num-buffers=25 ! video/x-raw,width=64,height=48,framerate=25/1 ! "
        "jpegenc ! queue ! out.video_1 audiotestsrc samplesperbuffer=480 num-buffers=100 ! "
        "audio/x-raw,rate=48000 ! avenc_aac ! aacparse ! queue ! out.audio_0 qtmux name=out"),
    # Eight channels, with the places of their speakers and without.
    "surround.mkv": SURROUND.format("0xc3f", "flacenc ! flacparse ! ", "matroskamux"),
    "unplaced.mov": SURROUND.format("0x0", "", "qtmux"),
    # Headers come before the pictures.
    "theora.ogv": (
        "videotestsrc num-buffers=25 ! video/x-raw,width=64,height=48,framerate=25/1 ! theoraenc ! queue ! "
        "out. audiotestsrc samplesperbuffer=480 num-buffers=100 ! audio/x-raw,rate=48000 ! audioconvert ! "
        "vorbisenc ! queue ! out. oggmux name=out"),
}


class Film(NamedTuple):
    """A line of the table."""

    input: str  # "SOUND+SOUND.KIND", a film with these sounds, or a name in MADE
    output: str  # its kind
    sounds: list  # media types
    always: bool = False
    frames: int = 25
    seconds: float = 1
    options: tuple = ()
    status: int = 0
    says: str = ""  # a pattern in what standard error says
    video: str = ""  # its media type; empty: the usual one


def matrix():
    """Every kind of sound in every kind of film that can hold it, and into every kind of output."""
    for kind, sounds in READ.items():
        for sound in sounds:
            for output, held in HELD.items():
                kept = sound in held
                yield Film(f"{sound}.{kind}", output,
                           [TYPES[sound] if kept else OPUS if output == "webm" else AAC],
                           says="" if kept else r"the sound \(.*\) is encoded again: \." + output)


TABLE = [
    Film("ac3.mkv", "mkv", ["audio/x-ac3"], always=True),
    Film("vorbis.webm", "webm", ["audio/x-vorbis"], always=True),
    Film("theora.ogv", "mkv", ["audio/x-vorbis"], always=True, frames=24, seconds=0.96),  # oggmux leaves one out
    Film("vorbis.mkv", "webm", ["audio/x-vorbis"], always=True, frames=15, seconds=0.6, options=("--start", "0.4")),
    Film("opus.ts", "mp4", [OPUS], always=True),
    Film("float.mkv", "mov", [AAC], always=True, says=r"the sound \(.*\) is encoded again: \.mov"),
    # A cover in a track of its own, before the film and of the same codec, is not the film.
    Film("cover.mov", "mkv", [AAC], always=True),
    Film("surround.mkv", "mkv", ["audio/x-flac"], always=True),
    Film("surround.mkv", "mp4", [AAC], always=True, says="encoded again"),
    Film("unplaced.mov", "mp4", [AAC], always=True, says="encoded again"),
    Film("aac.mkv", "mp4", [AAC], always=True, options=("--codec", "hevc"), video=HEVC),
    Film("aac.mkv", "mov", [AAC], options=("--codec", "h265"), video=HEVC),
    Film("aac.mkv", "mkv", [AAC], options=("--codec", "av1"), video=AV1),
    Film("opus.webm", "webm", [OPUS], always=True, options=("--codec", "av1", "--cq", "63"), video=AV1),
    Film("aac.mkv", "mp4", [AAC], options=("--codec", "vp9"), video=VP9),
    Film("aac.mkv", "mp4", [AAC], always=True, options=("--cq", "60"), says="--cq 60: 50 is taken"),
    # Tracks stay in their order, whatever they are.
    Film("mp3+aac+mp3+flac.mkv", "mkv",
         ["audio/mpeg,layer=3", AAC, "audio/mpeg,layer=3", "audio/x-flac"], always=True),
]
TABLE += [film for number, film in enumerate(matrix()) if number % EVERY == 0]


def sounds_of(name):
    return name.rpartition(".")[0].split("+")


class Films(ProgramCase):
    maxDiff = None

    def check(self, number, film, done, output):
        self.assertEqual(done.returncode, film.status, done.stderr)
        self.assertRegex(done.stderr, film.says or "^$")
        found = play(output)
        self.assertEqual((found.video, found.sounds, found.frames),
                         (film.video or (VP9 if film.output == "webm" else H264), film.sounds, film.frames))
        self.assertAlmostEqual(found.seconds, film.seconds, delta=0.03)
        self.assertEqual(len(found.sound_seconds), len(film.sounds))
        if film.input in ("surround.mkv", "unplaced.mov"):
            # Not all versions of the encoder take eight channels; if fewer come out, it is said.
            self.assertEqual(bool(re.search("8 channels were mixed to [0-9]", done.stderr)), found.channels != [8])
        # A packet of AAC has 1024 samples, of which 8000 are a second of these sounds.
        delta = 0.16 if film.input.startswith(("alaw", "amr", "mulaw")) else 0.08
        for seconds in found.sound_seconds:
            self.assertAlmostEqual(seconds, film.seconds, delta=delta)
        self.assertAlmostEqual(found.duration, film.seconds, delta=delta)

    def test_table(self):
        table = [film for film in TABLE if film.input in MADE or can_make(sounds_of(film.input))]
        for name in {film.input for film in table}:
            if name in MADE:
                launch(MADE[name] + f" ! filesink location={name}")
            else:
                make_film(name, sounds_of(name))

        def run(numbered):
            number, film = numbered
            output = f"{number}.{film.output}"
            try:
                return subprocess.run(
                    [self.program, film.input, "-o", output, *COMMON, *film.options],
                    capture_output=True, text=True, timeout=SECONDS_PER_LINE, check=False), output
            except subprocess.TimeoutExpired:
                return None, output

        with ThreadPoolExecutor(AT_ONCE) as pool:
            for (number, film), (done, output) in zip(enumerate(table), pool.map(run, enumerate(table))):
                with self.subTest(film):
                    self.assertIsNotNone(done, "it does not end")
                    self.check(number, film, done, output)


if __name__ == "__main__":
    main()
