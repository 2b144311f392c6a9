# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tiny films that tests of mosaic-temporal make, and what there is in the films that it writes."""

import os
import re
from typing import NamedTuple

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstPbutils", "1.0")
from gi.repository import Gst, GstPbutils  # noqa: E402

from pipelines import launch  # noqa: E402

RATE = 25
PATIENCE = 30 * Gst.SECOND

# What makes a second of each kind of sound.
SOUNDS = {
    "aac": "avenc_aac ! aacparse",
    "ac3": "avenc_ac3",
    "adpcm": "adpcmenc layout=dvi",
    "alac": "avenc_alac",
    "alaw": "audio/x-raw,rate=8000,channels=1 ! alawenc",
    "amr": "audio/x-raw,rate=8000,channels=1 ! amrnbenc",
    "dts": "avenc_dca ! dcaparse",
    "eac3": "avenc_eac3",
    "flac": "flacenc ! flacparse",
    "float": "audio/x-raw,format=F32LE",
    "mp2": "twolamemp2enc ! mpegaudioparse",
    "mp3": "lamemp3enc ! mpegaudioparse",
    "mulaw": "audio/x-raw,rate=8000,channels=1 ! mulawenc",
    "opus": "opusenc",
    "pcm": "audio/x-raw,format=S16LE",
    "pcm24": "audio/x-raw,format=S24LE",
    "speex": "audio/x-raw,rate=16000,channels=1 ! speexenc",
    "tta": "avenc_tta",
    "vorbis": "vorbisenc",
    "wma": "avenc_wmav2",
}

MUXERS = {"avi": "avimux", "mkv": "matroskamux", "mov": "qtmux", "mp4": "mp4mux", "ts": "mpegtsmux",
          "webm": "webmmux"}


def make_film(path, sounds=(), frames=RATE, seconds=1, size="64x48"):
    """Writes a film of H.264, or of VP8 into WebM, with a track for each of the sounds."""
    width, height = size.split("x")
    kind = path.rpartition(".")[2]
    encoder = ("vp8enc deadline=1" if kind == "webm" else
               f"x264enc speed-preset=ultrafast bframes=2 b-adapt=false key-int-max=10 ! h264parse")
    line = (f"{MUXERS[kind]} name=mux ! filesink location={path} "
            f"videotestsrc num-buffers={frames} pattern=ball ! "
            f"video/x-raw,format=I420,width={width},height={height},framerate={RATE}/1 ! "
            f"{encoder} ! queue ! mux. ")
    pad = "audio" if kind == "ts" else "audio_%u"
    for sound in sounds:
        line += (f"audiotestsrc samplesperbuffer=480 num-buffers={int(seconds * 100)} ! audio/x-raw,rate=48000 ! "
                 f"audioconvert ! audioresample ! {SOUNDS[sound]} ! queue ! mux.{'' if kind == 'ts' else pad} ")
    launch(line)


def can_make(sounds):
    """Whether the encoders of these sounds are installed: distributions leave some out."""
    words = [step.split()[0] for sound in sounds for step in SOUNDS[sound].split("!")]
    return all("/" in word or Gst.ElementFactory.find(word) for word in words)


class Played(NamedTuple):
    """What a player finds in a film."""

    video: str
    sounds: list  # media types
    channels: list  # of each sound
    frames: int
    seconds: float  # of the video
    sound_seconds: list
    duration: float  # that the file says


def name_of(info):
    structure = info.get_caps().get_structure(0)
    name = structure.get_name()
    found, layer = structure.get_int("layer")
    # MPEG-1 has three kinds of sound.
    return f"{name},layer={layer}" if found and structure.get_int("mpegversion")[1] == 1 else name


def length_of_samples(caps, size):
    """Nanoseconds; 0: what caps describe is no samples. Demuxers need not say it of the last buffer."""
    if caps.get_name() != "audio/x-raw":
        return 0
    bits = int(re.search(r"\d+$", caps.get_string("format").rstrip("LBE"))[0])
    return size * 8 * Gst.SECOND // (bits * caps.get_int("channels")[1] * caps.get_int("rate")[1])


def play(path):
    """Decodes a film to its end."""
    uri = Gst.filename_to_uri(os.path.abspath(path))
    info = GstPbutils.Discoverer.new(PATIENCE).discover_uri(uri)
    assert info.get_result() == GstPbutils.DiscovererResult.OK, (path, info.get_result())
    pipeline = Gst.Pipeline()
    decoder = Gst.ElementFactory.make("uridecodebin")
    decoder.set_property("uri", uri)
    pipeline.add(decoder)
    tracks = []

    def on_buffer(pad, probe, track):
        buffer = probe.get_buffer()
        segment = pad.get_sticky_event(Gst.EventType.SEGMENT, 0).parse_segment()
        length = buffer.duration
        if length == Gst.CLOCK_TIME_NONE:
            length = length_of_samples(pad.get_current_caps().get_structure(0), buffer.get_size())
        track["buffers"] += 1
        track["end"] = max(track["end"],
                           segment.to_stream_time(Gst.Format.TIME, min(buffer.pts + length, segment.stop)))
        return Gst.PadProbeReturn.OK

    def on_pad(_, pad):
        track = {"type": pad.query_caps().get_structure(0).get_name(), "buffers": 0, "end": 0}
        tracks.append(track)
        pad.add_probe(Gst.PadProbeType.BUFFER, on_buffer, track)
        sink = Gst.ElementFactory.make("fakesink")
        pipeline.add(sink)
        pad.link(sink.get_static_pad("sink"))
        sink.sync_state_with_parent()

    decoder.connect("pad-added", on_pad)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(PATIENCE,
                                                    Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    assert message and message.type == Gst.MessageType.EOS, (path, message and message.parse_error())
    videos = [track for track in tracks if track["type"].startswith("video")]
    assert len(videos) == 1, (path, tracks)
    # A track may be listed a second time as what its parser makes of it.
    tracks_of_sound = [stream for stream in info.get_audio_streams()
                       if not isinstance(stream.get_next(), GstPbutils.DiscovererAudioInfo)]
    return Played(
        video=name_of(info.get_video_streams()[0]),
        sounds=[name_of(stream) for stream in tracks_of_sound],
        channels=[stream.get_channels() for stream in tracks_of_sound],
        frames=videos[0]["buffers"], seconds=videos[0]["end"] / Gst.SECOND,
        sound_seconds=[track["end"] / Gst.SECOND for track in tracks if track["type"].startswith("audio")],
        duration=info.get_duration() / Gst.SECOND)
