# SPDX-License-Identifier: LGPL-2.1-or-later
"""The mosaic of a video from Python, with the names of mosaic-temporal-gpu:

    from run_pipeline import D1Config, run_pipeline
    stats = run_pipeline("film.mp4", "mosaic.mp4", tile_dir="photos", config=D1Config.from_preset("film"))

It needs PyGObject and GStreamer's plugins base, good, ugly and libav. Sound is left out; the program
mosaic-temporal keeps it.
"""

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402


class D1Config:
    """Properties of the element, with _ for -: D1Config(beta=0.5, size="40x30")."""

    def __init__(self, **fields):
        self.fields = fields

    @classmethod
    def from_preset(cls, preset, **overrides):
        """The look of a profile ("vivid_b", "film"), with other fields beside it."""
        return cls(profile_name=preset, **overrides)


def _encoder(cq):
    """The first encoder that is installed, at a constant quality."""
    for name, settings in (("nvh264enc", f"rc-mode=constqp qp-const={cq}"),
                           ("x264enc", f"pass=qual quantizer={cq}"),
                           ("openh264enc", f"rate-control=off qp-min={cq} qp-max={cq}")):
        if Gst.ElementFactory.find(name):
            return f"{name} {settings}"
    raise RuntimeError("GStreamer has no H.264 encoder: install x264enc or openh264enc")


def _wait_for_end(pipeline):
    """Until the end of the stream; raises RuntimeError with the text of an error on the bus."""
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    if message.type == Gst.MessageType.ERROR:
        raise RuntimeError(message.parse_error()[0].message)


def run_pipeline(input_video, output_video, *, tile_dir, fps=30, cq=19, config=None):
    """Makes the mosaic of a video; the output is an MP4 file of H.264.

    Returns a dictionary: frames, width, height, fps, active_codec (the decoder), and the other fields
    of the element's property stats, with _ for -. Raises RuntimeError with the cause.
    """
    Gst.init(None)
    rate = Gst.util_double_to_fraction(fps)
    try:
        pipeline = Gst.parse_launch(
            "filesrc name=source ! decodebin ! videoconvert ! videorate ! "
            f"video/x-raw,framerate={rate[0]}/{rate[1]} ! mosaictemporal name=mosaic ! queue ! "
            f"videoconvert ! {_encoder(cq)} ! h264parse ! mp4mux ! filesink name=sink")
    except GLib.Error as error:
        raise RuntimeError(error.message) from error
    mosaic = pipeline.get_by_name("mosaic")
    for name, value in (config.fields if config else {}).items():
        Gst.util_set_object_arg(mosaic, name.replace("_", "-"), str(value))
    mosaic.set_property("tile-location", str(tile_dir))
    pipeline.get_by_name("source").set_property("location", str(input_video))
    pipeline.get_by_name("sink").set_property("location", str(output_video))
    try:
        _wait_for_end(pipeline)
        stats = mosaic.get_property("stats")
        return {stats.nth_field_name(i).replace("-", "_"): stats.get_value(stats.nth_field_name(i))
                for i in range(stats.n_fields())}
    finally:
        pipeline.set_state(Gst.State.NULL)
