#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Serves a video as mosaics over RTSP. Each client chooses its photos: a folder in PHOTOS.

usage: GST_PLUGIN_PATH=build/gst examples/rtsp_server.py PHOTOS [VIDEO] [PORT]

A client plays rtsp://localhost:8554/mosaic?tiles=holiday&size=1000&profile=film, where `holiday` is a
folder in PHOTOS, `size` the number of cells and `profile` the look (one of PROFILES below); without
`tiles`, all photos are used. Without VIDEO a test picture is shown. PORT 0 chooses a free one.
examples/rtsp_client.py is a client. Every client costs a decoder, a mosaic and an encoder, so the
server listens on this machine alone.

Needs python3-gi, gir1.2-gst-rtsp-server-1.0 and GStreamer's good, ugly and libav plugins.
"""
import pathlib
import sys
import urllib.parse

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

TEST_PICTURE = "videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=25/1"
MOSAIC = ("( {source} ! videoconvert ! mosaictemporal name=mosaic ! videoconvert ! "
          "video/x-raw,format=I420 ! x264enc tune=zerolatency speed-preset=veryfast ! "
          "rtph264pay name=pay0 pt=96 )")


class Wishes:
    """What a client asks for in the query of its address."""

    PROFILES = ("vivid_b", "plain", "faithful", "film", "photos")

    def __init__(self, root, query):
        """`root` is the folder of photos. Raises ValueError for anything that the server does not
        offer: the query comes from an untrusted client."""
        wanted = dict(urllib.parse.parse_qsl(query or ""))
        self.size = wanted.get("size", "700")
        if not (self.size.isascii() and self.size.isdecimal() and 0 < int(self.size) <= 5000):
            raise ValueError("size")
        self.profile = wanted.get("profile", "vivid_b")
        if self.profile not in self.PROFILES:
            raise ValueError("profile")
        self.photos = root
        if "tiles" in wanted:
            # Compared with the names there are, so that no name leads out of the folder.
            folders = {folder.name: folder for folder in root.iterdir() if folder.is_dir()}
            if wanted["tiles"] not in folders:
                raise ValueError("tiles")
            self.photos = folders[wanted["tiles"]]


class Mosaics(GstRtspServer.RTSPMediaFactory):
    """Makes a pipeline for each client."""

    def __init__(self, root, video):
        super().__init__()
        self.root, self.video = root, video

    def do_create_element(self, url):
        wishes = Wishes(self.root, url.query)
        source = "filesrc name=file ! decodebin" if self.video else TEST_PICTURE
        pipeline = Gst.parse_launch(MOSAIC.format(source=source))
        if self.video:
            pipeline.get_by_name("file").set_property("location", self.video)
        mosaic = pipeline.get_by_name("mosaic")
        mosaic.set_property("tile-location", str(wishes.photos))
        mosaic.set_property("size", wishes.size)
        mosaic.set_property("profile-name", wishes.profile)
        return pipeline


def check(client, context, root):
    """Answers requests for what the server does not have with "404 Not Found"."""
    try:
        Wishes(root, context.uri.query)
    except (ValueError, OSError):
        return GstRtsp.RTSPStatusCode.NOT_FOUND
    return GstRtsp.RTSPStatusCode.OK


def watch(_, client, root):
    """Checks the requests of a client that has connected."""
    for request in "describe", "setup", "play":
        client.connect(f"pre-{request}-request", check, root)


def clean_up(server):
    """Ends the pipelines of clients that vanished."""
    server.get_session_pool().cleanup()
    return True


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    Gst.init(None)
    photos = pathlib.Path(sys.argv[1])
    if not photos.is_dir():
        sys.exit(f"there is no folder {photos}")
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(sys.argv[3] if len(sys.argv) > 3 else "8554")
    server.get_mount_points().add_factory(
        "/mosaic", Mosaics(photos, sys.argv[2] if len(sys.argv) > 2 else ""))
    server.connect("client-connected", watch, photos)
    if not server.attach(None):
        sys.exit("cannot listen on that port")
    print(f"rtsp://localhost:{server.get_bound_port()}/mosaic", flush=True)
    GLib.timeout_add_seconds(5, clean_up, server)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
