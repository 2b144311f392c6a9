#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: subtitles_test.py PROGRAM: mosaic-temporal keeps subtitles."""

import os

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstPbutils", "1.0")
from gi.repository import GLib, Gst, GstPbutils  # noqa: E402

from program_case import LONG_FRAMES, LONG_RATE, ProgramCase, long_film, main, samples  # noqa: E402

SECONDS, RATE = 20, 5
SOUND_SECONDS = SECONDS * 44 * 1024 / 44100  # what make_film() makes is a little longer than the picture
ENGLISH = [(1, 2.5, "Don't say \"a & b\""), (3, 14.5, "Two lines,\n1 < 2"), (19, 23, "After the end")]
# The last one as long as the picture.
KEPT = [*ENGLISH[:2], (19, SECONDS, "After the end")]
# Two at a time, and words in italics.
GERMAN = [(0, 0.5, "<i>Grüße</i>"), (12, 16, "Ein Schild"), (13, 14, "jemand spricht"),
          (17, 18, "Beide"), (17, 18, "zugleich")]
ASS_HEADER = "[Script Info]\nScriptType: v4.00+\n\n[Events]\n"
ASS = [(2, 4, "0,0,Default,,0,0,0,,{\\b1}Bold{\\b0} & plain")]


def push(appsrc, texts):
    for start, end, text in texts:
        buffer = Gst.Buffer.new_wrapped(text.encode())
        buffer.pts = int(start * Gst.SECOND)
        buffer.duration = int((end - start) * Gst.SECOND)
        appsrc.emit("push-buffer", buffer)
    appsrc.emit("end-of-stream")


def make_film(path, tracks, seconds=SECONDS):
    """Writes Matroska with H.264, sound and subtitles: (caps, language, [(start, end, text)])."""
    line = (f"matroskamux name=mux ! filesink location={path} "
            f"videotestsrc num-buffers={seconds * RATE} pattern=ball ! "
            f"video/x-raw,width=160,height=120,framerate={RATE}/1 ! x264enc ! mux. "
            f"audiotestsrc num-buffers={seconds * 44} ! audio/x-raw,rate=44100 ! avenc_aac ! mux. ")
    for number, (caps, language, _) in enumerate(tracks):
        line += (f'appsrc name=text{number} format=time caps="{caps}" ! '
                 f"taginject tags=language-code={language} ! mux.subtitle_{number} ")
    run_with_texts(Gst.parse_launch(line),
                   {f"text{number}": texts for number, (_, _, texts) in enumerate(tracks)})


def run_with_texts(pipeline, texts_of):
    """Gives the texts to the elements of these names, and runs the pipeline to its end."""
    for name, texts in texts_of.items():
        push(pipeline.get_by_name(name), texts)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        120 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    assert message and message.type == Gst.MessageType.EOS


def track_of(path, track):
    demuxer = "matroskademux" if path.endswith(".mkv") else "qtdemux"
    return f"filesrc location={path} ! {demuxer} name=demux demux.subtitle_{track} ! "


def subtitles(path, track=0):
    """The texts of a file: (start and end in seconds, text)."""
    return [(sample.start / Gst.SECOND, sample.end / Gst.SECOND, sample.data.decode())
            for sample in samples(track_of(path, track) + "appsink name=out sync=false")]


def end_of_sound(path):
    """In seconds."""
    demuxer = "matroskademux" if path.endswith(".mkv") else "qtdemux"
    sound = samples(f"filesrc location={path} ! {demuxer} name=demux demux.audio_0 ! "
                    "appsink name=out sync=false")
    # Not every packet in Matroska has a duration; each is 1024 samples.
    return sound[-1].start / Gst.SECOND + 1024 / 44100


def language(path, track=0):
    pipeline = Gst.parse_launch(track_of(path, track) + "fakesink name=out")
    pipeline.set_state(Gst.State.PAUSED)
    pipeline.get_state(60 * Gst.SECOND)
    pad = pipeline.get_by_name("out").get_static_pad("sink")
    found = None
    for number in range(8):
        event = pad.get_sticky_event(Gst.EventType.TAG, number)
        if event and event.parse_tag().get_string("language-code")[0]:
            found = event.parse_tag().get_string("language-code")[1]
    pipeline.set_state(Gst.State.NULL)
    return found


def about(path):
    """The duration in seconds, and how many subtitles there are."""
    info = GstPbutils.Discoverer.new(20 * Gst.SECOND).discover_uri(
        Gst.filename_to_uri(os.path.abspath(path)))
    return info.get_duration() / Gst.SECOND, len(info.get_subtitle_streams())


class Subtitles(ProgramCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        plain = "text/x-raw,format=utf8"
        make_film("film.mkv", [(plain, "en", ENGLISH), (plain, "de", GERMAN)])
        make_film("other.mkv", [
            ("subpicture/x-dvd", "en", ENGLISH),
            (f"application/x-ass,codec_data=(buffer){ASS_HEADER.encode().hex()}", "de", ASS)])

    def expect_texts(self, path, track, texts):
        """Matroska and MPEG-4 store times in milliseconds."""
        found = subtitles(path, track)
        self.assertEqual([text for _, _, text in found], [text for _, _, text in texts])
        for is_, expected in zip(found, texts):
            self.assertAlmostEqual(is_[0], expected[0], delta=0.002)
            self.assertAlmostEqual(is_[1], expected[1], delta=0.002)

    def test_matroska_keeps_them_as_they_are(self):
        stats = self.mosaic_of("mosaic.mkv", "film.mkv", "--size", "8x6", "--lookahead", "16")
        self.assertEqual(stats["frames"], SECONDS * RATE)
        self.assertEqual(subtitles("mosaic.mkv", 1), subtitles("film.mkv", 1))
        # GStreamer escapes texts, unless there are tags in the track.
        self.expect_texts("mosaic.mkv", 0, [(start, end, GLib.markup_escape_text(text))
                                            for start, end, text in KEPT])
        self.expect_texts("mosaic.mkv", 1, GERMAN)
        duration, tracks = about("mosaic.mkv")
        self.assertAlmostEqual(duration, SOUND_SECONDS, delta=0.05)
        self.assertEqual(tracks, 2)
        self.assertEqual([language("mosaic.mkv", track) for track in (0, 1)], ["en", "de"])

    def test_mp4_keeps_their_texts(self):
        for name in "mosaic.mp4", "mosaic.mov":
            with self.subTest(name):
                stats = self.mosaic_of(name, "film.mkv", "--size", "8x6", "--lookahead", "16")
                self.assertEqual(stats["frames"], SECONDS * RATE)
                self.expect_texts(name, 0, KEPT)
                # It shows one text at a time.
                self.expect_texts(name, 1, [
                    (0, 0.5, "Grüße"), (12, 13, "Ein Schild"), (13, 14, "jemand spricht"),
                    (17, 18, "Beide\nzugleich")])
                duration, tracks = about(name)
                self.assertAlmostEqual(duration, SOUND_SECONDS, delta=0.05)
                self.assertEqual(tracks, 2)
                self.assertEqual([language(name, track) for track in (0, 1)], ["en", "de"])

    def test_from_mp4(self):
        self.mosaic_of("first.mp4", "film.mkv", "--size", "8x6")
        for name in "second.mp4", "second.mkv":
            with self.subTest(name):
                self.mosaic_of(name, "first.mp4", "--size", "8x6")
                self.expect_texts(name, 0, [
                    (start, end, GLib.markup_escape_text(text) if name.endswith("mkv") else text)
                    for start, end, text in KEPT])

    def test_pictures_and_styles(self):
        for name, tracks, notice in (
                ("other-mosaic.mkv", 1, "subtitles that are pictures are left out"),
                ("other-mosaic.mp4", 1, "subtitles that are pictures are left out"),
                ("other-mosaic.webm", 0, "the subtitles are left out: .webm cannot hold them"),
                ("other-%05d.png", 0, "the subtitles are left out: .png cannot hold them")):
            with self.subTest(name):
                done = self.run_program("other.mkv", "--tiles", "photos", "--size", "8x6", "-o", name)
                self.assertEqual([line for line in done.stderr.splitlines() if "subtitles" in line],
                                 [notice])
                if not name.endswith("png"):
                    self.assertEqual(about(name)[1], tracks)
        self.expect_texts("other-mosaic.mkv", 0, [(2, 4, "Bold &amp; plain")])
        self.expect_texts("other-mosaic.mp4", 0, [(2, 4, "Bold & plain")])

    def test_they_end_with_the_video(self):
        for name in "short.mp4", "short.mkv":
            with self.subTest(name):
                self.mosaic_of(name, "film.mkv", "--size", "8x6", "--seconds", "2")
                self.assertAlmostEqual(end_of_sound(name), 2, delta=0.05)
                self.assertEqual([text[0] for text in subtitles(name)], [1])
                self.assertLess(about(name)[0], 4)

    def test_those_that_begin_in_the_last_frame_are_kept(self):
        texts = [(1, 1.5, "before"), (1.85, 3, "late"), (1.9, 3, "later"), (1.95, 3, "last"),
                 (6, 7, "after"), (6.5, 7, "long after")]
        make_film("late.mkv", [("text/x-raw,format=utf8", "en", texts)], seconds=8)
        for name in "late.mp4", "late-mosaic.mkv":
            with self.subTest(name):
                self.mosaic_of(name, "late.mkv", "--size", "8x6", "--seconds", "2")
                self.assertEqual([text for _, _, text in subtitles(name)], ["before", "late", "later", "last"])

    def test_they_end_where_the_program_is_interrupted(self):
        end = LONG_FRAMES / LONG_RATE
        pipeline = Gst.parse_launch(long_film(
            "long.mkv", 'appsrc name=text format=time caps="text/x-raw,format=utf8" ! mux.subtitle_0'))
        run_with_texts(pipeline, {"text": [(1, 2, "a"), (end - 5, end - 3, "b")]})
        for name in "cut.mp4", "cut.mkv":
            with self.subTest(name):
                seconds = self.interrupted("long.mkv", name)["frames"] / LONG_RATE
                self.assertLess(seconds, end - 10)
                self.assertEqual([text for _, _, text in subtitles(name)], ["a"])
                self.assertLess(abs(about(name)[0] - seconds), 3)


if __name__ == "__main__":
    main()
