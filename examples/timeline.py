#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Renders a video that turns into a mosaic, with GStreamer Editing Services: mosaictemporal is an
effect on a clip, and its property `mix` is animated from 0 to 1.

usage: GST_PLUGIN_PATH=build/gst examples/timeline.py VIDEO PHOTOS OUTPUT.mp4

Needs python3-gi, gir1.2-ges-1.0 and GStreamer's good and ugly plugins.
"""
import os
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstController", "1.0")
gi.require_version("GstPbutils", "1.0")
gi.require_version("GES", "1.0")
from gi.repository import GES, Gst, GstController, GstPbutils  # noqa: E402


def add_mosaic(clip, photos):
    """Adds the effect to a clip, and animates it over the clip's duration."""
    effect = GES.Effect.new("mosaictemporal name=mosaic")
    if not clip.add(effect):
        sys.exit("the plugin was not found: is GST_PLUGIN_PATH set?")
    effect.set_child_property("tile-location", photos)
    fade = GstController.InterpolationControlSource(
        mode=GstController.InterpolationMode.LINEAR)
    fade.set(0, 0.0)
    fade.set(clip.get_duration(), 1.0)
    effect.set_control_source(fade, "mix", "direct")


def profile():
    """H.264 in MP4. The sound is left out."""
    container = GstPbutils.EncodingContainerProfile.new(
        "mp4", None, Gst.Caps.from_string("video/quicktime,variant=iso"), None)
    container.add_profile(GstPbutils.EncodingVideoProfile.new(
        Gst.Caps.from_string("video/x-h264"), None, None, 0))
    return container


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    Gst.init(None)
    GES.init()
    video, photos, output = sys.argv[1:]
    timeline = GES.Timeline.new()
    timeline.add_track(GES.VideoTrack.new())
    asset = GES.UriClipAsset.request_sync(Gst.filename_to_uri(os.path.abspath(video)))
    info = asset.get_info().get_video_streams()[0]
    # The timeline has the size and rate of the video.
    timeline.get_tracks()[0].set_restriction_caps(Gst.Caps.from_string(
        f"video/x-raw,width={info.get_width()},height={info.get_height()},"
        f"framerate={info.get_framerate_num()}/{info.get_framerate_denom()}"))
    clip = timeline.append_layer().add_asset(asset, 0, 0, asset.get_duration(), GES.TrackType.VIDEO)
    add_mosaic(clip, photos)
    pipeline = GES.Pipeline()
    pipeline.set_timeline(timeline)
    pipeline.set_render_settings(Gst.filename_to_uri(os.path.abspath(output)), profile())
    pipeline.set_mode(GES.PipelineFlags.RENDER)
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        Gst.CLOCK_TIME_NONE, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    if message.type == Gst.MessageType.ERROR:
        sys.exit(message.parse_error()[0].message)


if __name__ == "__main__":
    main()
