#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A small player with a window of GTK: plays a video with its sound as a mosaic, and shows the photo
that is clicked on beside it. PROFILE is a look, such as `photos`. See embed.py for a program without a
toolkit, which leaves the window to the sink.

usage: GST_PLUGIN_PATH=build/gst examples/player.py VIDEO PHOTOS [PROFILE]

Needs python3-gi, gir1.2-gtk-3.0, gstreamer1.0-gtk3 and GStreamer's decoders. GTK 3, because Debian 12
has a package of a sink for it (gtksink), but none of the one for GTK 4 (gtk4paintablesink).
"""
import os
import sys

import gi

gi.require_version("GdkPixbuf", "2.0")
gi.require_version("Gst", "1.0")
gi.require_version("Gtk", "3.0")
from gi.repository import GdkPixbuf, GLib, Gst, Gtk, Pango  # noqa: E402

PANE = 240  # largest width and height of a photo, in pixels


def clock(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class Player(Gtk.Window):
    def __init__(self, video, photos, profile):
        super().__init__(title=f"{os.path.basename(video)} as a mosaic")
        self.set_default_size(960, 540)
        # As a part of the sink, not as playbin's `video-filter`: that has a queue behind it, and a click
        # would be answered for a frame that is not shown yet.
        video_sink = Gst.parse_bin_from_description(
            "videoconvert ! mosaictemporal name=mosaic ! videoconvert ! gtksink name=sink", True)
        self.mosaic = video_sink.get_by_name("mosaic")
        self.mosaic.set_property("profile-name", profile)
        self.mosaic.set_property("tile-location", photos)
        self.sink = video_sink.get_by_name("sink")
        self.playbin = Gst.ElementFactory.make("playbin")
        self.playbin.set_property("uri", Gst.filename_to_uri(os.path.abspath(video)))
        self.playbin.set_property("video-sink", video_sink)
        self.wanted = None  # where to seek, in seconds
        self.picture = self.sink.get_property("widget")
        self.add_widgets()
        bus = self.playbin.get_bus()
        bus.add_signal_watch()
        bus.connect("message", self.on_message)
        GLib.timeout_add(100, self.on_time)
        self.set_state(Gst.State.PLAYING)

    def add_widgets(self):
        # Before the first frame, gtksink cannot handle events of the mouse.
        self.picture.set_properties(hexpand=True, vexpand=True, sensitive=False)
        self.trouble = Gtk.Label(wrap=True)
        self.trouble_bar = Gtk.InfoBar(revealed=False, show_close_button=True, valign=Gtk.Align.START)
        self.trouble_bar.connect("response", lambda bar, _: bar.set_revealed(False))
        self.trouble_bar.get_content_area().add(self.trouble)
        video = Gtk.Overlay()
        video.add(self.picture)
        video.add_overlay(self.trouble_bar)
        self.photo = Gtk.Image(height_request=PANE)
        self.name = Gtk.Label(wrap=True, wrap_mode=Pango.WrapMode.WORD_CHAR, max_width_chars=20)
        pane = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12, margin=12, width_request=PANE)
        pane.add(self.photo)
        pane.add(self.name)
        self.button = Gtk.Button(use_underline=True, width_request=80)
        self.button.connect("clicked", lambda _: self.set_state(
            Gst.State.PAUSED if self.playing else Gst.State.PLAYING))
        # The bar also follows the video; `change-value` is what the user does.
        self.bar = Gtk.Scale(draw_value=False, digits=3, hexpand=True)
        self.bar.set_increments(5, 30)
        self.bar.connect("change-value", self.on_seek)
        self.time = Gtk.Label()
        mix = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 1, 0.01)
        mix.set_properties(draw_value=False, width_request=120)
        mix.set_value(1)
        mix.connect("value-changed", self.on_mix)
        controls = Gtk.Box(spacing=12, margin=6)
        for widget in (self.button, self.bar, self.time,
                       Gtk.Label(label="_Mosaic", use_underline=True, mnemonic_widget=mix), mix):
            controls.add(widget)
        grid = Gtk.Grid()
        grid.attach(video, 0, 0, 1, 1)
        grid.attach(pane, 1, 0, 1, 1)
        grid.attach(controls, 0, 1, 2, 1)
        self.add(grid)
        self.button.grab_focus()

    def set_state(self, state):
        self.playing = state == Gst.State.PLAYING
        self.button.set_label("_Pause" if self.playing else "_Play")
        if self.playing:
            self.trouble_bar.set_revealed(False)
        self.playbin.set_state(state)

    def on_mix(self, scale):
        self.mosaic.set_property("mix", scale.get_value())
        if not self.playing:
            self.wanted = self.bar.get_value()  # draws the frame again

    def on_seek(self, _bar, _scroll, seconds):
        self.wanted = seconds

    def on_time(self):
        """Seeks, unless the last seek is still under way, or shows where the video is."""
        busy = self.playbin.get_state(0)[0] == Gst.StateChangeReturn.ASYNC
        if self.wanted is not None and not busy:
            self.playbin.seek_simple(Gst.Format.TIME, Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE,
                                     max(0, round(self.wanted * Gst.SECOND)))
            self.wanted = None
        elif not busy:
            position = self.playbin.query_position(Gst.Format.TIME)[1] / Gst.SECOND
            duration = self.playbin.query_duration(Gst.Format.TIME)[1] / Gst.SECOND
            self.bar.set_range(0, max(0, duration))
            self.bar.set_value(position)
            self.time.set_text(f"{clock(max(0, position))} / {clock(max(0, duration))}")
        return True

    def on_message(self, _bus, message):
        if message.type == Gst.MessageType.EOS:
            self.set_state(Gst.State.PAUSED)
            self.wanted = 0
        elif message.type == Gst.MessageType.ERROR:
            self.say(message, message.parse_error()[0], Gtk.MessageType.ERROR)
            self.set_state(Gst.State.NULL)
        elif message.type == Gst.MessageType.ASYNC_DONE:
            self.picture.set_sensitive(True)
        # The sink warns of frames that come too late.
        elif message.type == Gst.MessageType.WARNING and message.src != self.sink:
            self.say(message, message.parse_warning()[0], Gtk.MessageType.WARNING)
        elif message.type == Gst.MessageType.PROGRESS:
            kind, _, text = message.parse_progress()
            if kind == Gst.ProgressType.COMPLETE:
                text += ". Click on one of them."
            self.name.set_text(text)
        elif message.has_name("mosaictemporal-tile"):
            self.show_photo(message.get_structure().get_string("photo"))

    def say(self, message, error, kind):
        self.trouble.set_text(f"{message.src.get_name()}: {error.message}")
        self.trouble_bar.set_message_type(kind)
        self.trouble_bar.set_revealed(True)

    def show_photo(self, path):
        try:
            photo = GdkPixbuf.Pixbuf.new_from_file_at_scale(path, PANE, PANE, True)
            self.photo.set_from_pixbuf(photo.apply_embedded_orientation())
            self.name.set_text(os.path.basename(path))
        except GLib.Error as error:
            self.photo.clear()
            self.name.set_text(error.message)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    Gst.init(None)
    if not Gtk.init_check(sys.argv)[0]:
        sys.exit("there is no display")
    for element in "playbin", "gtksink", "mosaictemporal":
        if not Gst.ElementFactory.find(element):
            sys.exit(f"GStreamer's element {element} is missing")
    if not os.path.isfile(sys.argv[1]):
        sys.exit(f"{sys.argv[1]}: no such file")
    player = Player(*sys.argv[1:3], sys.argv[3] if len(sys.argv) == 4 else "vivid_b")
    player.connect("destroy", Gtk.main_quit)
    player.show_all()
    Gtk.main()
    player.playbin.set_state(Gst.State.NULL)


if __name__ == "__main__":
    main()
