#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shows a video as mosaics on a web page, by WebRTC.

usage: GST_PLUGIN_PATH=build/gst examples/webrtc_server.py PHOTOS [VIDEO] [PORT]

Open the printed address in a browser. Each page plays VIDEO once; without VIDEO, or with an empty one, a
test picture. PORT 0 chooses a free one. Every page costs a decoder, a mosaic and an encoder, so the
server listens on this machine alone and serves few pages at once.

The page, webrtc.html, opens a WebSocket. The server sends its offer (SDP) over it, and the page its
answer. A pipeline lives as long as the WebSocket of its page.

Needs python3-gi, gir1.2-soup-3.0, gir1.2-gst-plugins-bad-1.0, gstreamer1.0-nice, and GStreamer's good,
bad and libav plugins.
"""
import ctypes
import pathlib
import re
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
gi.require_version("Soup", "3.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC, Soup  # noqa: E402

MAX_PAGES = 4
MAX_ANSWER = 16 * 1024  # bytes; browsers send about 2000
TEST_PICTURE = "videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=25/1"
# webrtcbin sends whatever comes at once: clocksync gives the video its speed. The queue behind it drops
# frames where the rest is slower than that.
PIPELINE = (
    "{source} ! clocksync ! queue leaky=downstream max-size-buffers=2 max-size-bytes=0 max-size-time=0 ! "
    "videoconvert ! mosaictemporal name=mosaic ! queue max-size-buffers=2 ! videoconvert ! "
    "vp8enc deadline=1 cpu-used=8 end-usage=cbr target-bitrate=6000000 keyframe-max-dist=100 ! "
    "rtpvp8pay name=pay ! application/x-rtp,media=video,encoding-name=VP8,payload=96 ! "
    "webrtcbin name=web bundle-policy=max-bundle")
Close, Status = Soup.WebsocketCloseCode, Soup.Status


class Page:
    """An open page and its pipeline. What the page sends is not trusted."""

    def __init__(self, socket, photos, video, on_end):
        self.socket, self.on_end, self.offered = socket, on_end, False
        self.pipeline = Gst.parse_launch(
            PIPELINE.format(source="filesrc name=file ! decodebin" if video else TEST_PICTURE))
        if video:
            self.pipeline.get_by_name("file").set_property("location", video)
        self.pipeline.get_by_name("mosaic").set_property("tile-location", photos)
        self.web = self.pipeline.get_by_name("web")
        keep_local(self.web)
        # Elements call from their own threads: whatever touches this object is left to the main loop.
        self.web.connect("on-negotiation-needed", make_offer)
        self.web.connect("notify::ice-gathering-state", lambda *_: GLib.idle_add(self.send_offer))
        self.pipeline.get_by_name("pay").get_static_pad("src").add_probe(
            Gst.PadProbeType.EVENT_DOWNSTREAM, self.watch_for_end)
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", self.fail)
        socket.connect("message", self.take_answer)
        socket.connect("closed", lambda _: self.end())
        self.pipeline.set_state(Gst.State.PLAYING)

    def end(self, code=Close.NORMAL, reason=None):
        """Stops the pipeline, and tells the page why unless it has gone."""
        if self.socket.get_state() == Soup.WebsocketState.OPEN:
            self.socket.close(code, reason)
        if self.pipeline:
            self.pipeline.get_bus().remove_signal_watch()
            if self.pipeline.set_state(Gst.State.NULL) == Gst.StateChangeReturn.FAILURE:
                # An element that failed on its way to PLAYING can make this fail, too, but once only.
                self.pipeline.set_state(Gst.State.NULL)
            self.pipeline = self.web = None
            self.on_end(self)

    def fail(self, _, message):
        print(*message.parse_error(), file=sys.stderr, flush=True)
        self.end(Close.SERVER_ERROR, "the pipeline failed; it has printed why")

    def watch_for_end(self, _, info):
        if info.get_event().type == Gst.EventType.EOS:
            GLib.idle_add(self.end, Close.NORMAL, "the video has ended")
        return Gst.PadProbeReturn.OK

    def send_offer(self):
        """When all addresses are known: then none has to be sent later."""
        complete = GstWebRTC.WebRTCICEGatheringState.COMPLETE
        if self.web and not self.offered and self.web.get_property("ice-gathering-state") == complete:
            self.offered = True
            self.socket.send_text(self.web.get_property("local-description").sdp.as_text())

    def take_answer(self, _, kind, message):
        if message.get_size() > MAX_ANSWER:
            return self.end(Close.TOO_BIG, "that is too long for an answer")
        text = message.get_data().decode(errors="replace").replace("\0", "")
        # Addresses in it could be anyone's. They are not needed: the page connects to ours.
        text = re.sub("(?m)^a=candidate:.*$\n?", "", text)
        result, sdp = GstSdp.SDPMessage.new_from_text(text or "none")
        if not self.web or result != GstSdp.SDPResult.OK or not has_fingerprints(sdp):
            return self.refuse_answer()
        answer = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, sdp)
        self.web.emit("set-remote-description", answer,
                      Gst.Promise.new_with_change_func(self.check_answer))

    def check_answer(self, promise):
        reply = promise.get_reply()
        if reply and reply.has_field("error"):
            print(reply.get_value("error").message, file=sys.stderr, flush=True)
            GLib.idle_add(self.refuse_answer)

    def refuse_answer(self):
        self.end(Close.BAD_DATA, "that was no answer to the offer")


def keep_local(web):
    """Has the video's socket listen on this machine alone, and asks no router for a port."""
    agent = web.get_property("ice-agent")
    if agent.__grefcount__ == 1:
        # A fault of GStreamer (seen in 1.22 and 1.24): this was the element's own reference, which
        # Python would drop.
        ctypes.CDLL("libgobject-2.0.so.0").g_object_ref(ctypes.c_void_p(hash(agent)))
    agent.emit("add-local-ip-address", "127.0.0.1")
    agent.set_property("ice-tcp", False)
    agent.get_property("agent").set_property("upnp", False)


def has_fingerprints(sdp):
    """Whether an answer tells by which certificate the page is known. A fault of GStreamer (seen in 1.24 and
    1.26): webrtcbin takes answers that do not, and never connects."""
    media = map(sdp.get_media, range(sdp.medias_len()))
    return bool(sdp.get_attribute_val("fingerprint") or
                all(medium.get_attribute_val("fingerprint") for medium in media))


def make_offer(web):
    def use(promise):
        reply = promise.get_reply()
        if reply and reply.has_field("offer"):  # otherwise the pipeline is stopping
            web.emit("set-local-description", reply.get_value("offer"), None)
    web.emit("create-offer", None, Gst.Promise.new_with_change_func(use))


class Server:
    def __init__(self, photos, video, port):
        self.photos, self.video = photos, video
        self.pages, self.sockets = set(), set()
        self.html = pathlib.Path(__file__).with_name("webrtc.html").read_bytes()
        self.server = Soup.Server()
        # With compression, a short message could become a very long one.
        self.server.remove_websocket_extension(Soup.WebsocketExtensionDeflate)
        for path in "/", "/mosaic":
            self.server.add_early_handler(path, self.check)
        self.server.add_handler("/", self.send_page)
        self.server.add_websocket_handler("/mosaic", None, None, self.open_page)
        self.server.listen_local(port, Soup.ServerListenOptions.IPV4_ONLY)
        self.port = self.server.get_uris()[0].get_port()

    def check(self, _, request, path, query):
        """Before the body of a request is read."""
        status = self.refusal(request.get_method(), path, request.get_request_headers())
        if status:
            request.get_request_body().set_accumulate(False)  # read, but not kept
            request.set_status(status, None)

    def refusal(self, method, path, headers):
        host = headers.get_one("Host")
        if host not in (f"localhost:{self.port}", f"127.0.0.1:{self.port}"):
            return Status.FORBIDDEN  # the name of another site, which leads to this machine
        if path not in ("/", "/mosaic"):
            return Status.NOT_FOUND
        if method != "GET":
            return Status.METHOD_NOT_ALLOWED
        if headers.get_encoding() != Soup.Encoding.NONE:
            return Status.REQUEST_ENTITY_TOO_LARGE  # no body is needed
        if path == "/mosaic" and headers.get_one("Origin") != f"http://{host}":
            return Status.FORBIDDEN  # a page of another site
        return None

    def send_page(self, _, request, path, query):
        request.set_status(Status.OK, None)
        request.set_response("text/html; charset=utf-8", Soup.MemoryUse.COPY, self.html)

    def open_page(self, _, request, path, socket):
        # Kept until it is closed, which takes a message there and back.
        self.sockets.add(socket)
        socket.connect("closed", self.sockets.discard)
        if len(self.pages) < MAX_PAGES:
            self.pages.add(Page(socket, self.photos, self.video, self.pages.discard))
        else:
            socket.close(Close.POLICY_VIOLATION, "too many pages are open")


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    Gst.init(None)
    if not pathlib.Path(sys.argv[1]).is_dir():
        sys.exit(f"there is no folder {sys.argv[1]}")
    port = sys.argv[3] if len(sys.argv) > 3 else "8080"
    if not re.fullmatch("[0-9]{1,5}", port) or int(port) > 65535:
        sys.exit(f"{port} is not a port")
    for element in "mosaictemporal", "vp8enc", "webrtcbin", "nicesink":
        if not Gst.ElementFactory.find(element):
            sys.exit(f"GStreamer has no {element}")
    try:
        server = Server(sys.argv[1], "".join(sys.argv[2:3]), int(port))
    except GLib.Error as error:
        sys.exit(f"cannot listen on that port: {error.message}")
    print(f"http://localhost:{server.port}/", flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
