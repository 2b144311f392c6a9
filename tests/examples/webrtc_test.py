#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The example webrtc_server.py with headless Chromium: the page shows the mosaic, and pages that mean
harm do none. It is skipped where a program or a library for that is missing.

usage: webrtc_test.py FOLDER_OF_EXAMPLES [SCREENSHOT]
"""
import base64
import contextlib
import http.client
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import gi

gi.require_version("Gst", "1.0")
try:
    gi.require_version("GstWebRTC", "1.0")
    gi.require_version("Soup", "3.0")
    from PIL import ImageStat
    from browser import CHROMIUM, SECONDS, Browser
except (ValueError, ImportError):
    sys.exit(77)  # skipped
from gi.repository import Gst  # noqa: E402

from pipelines import launch, make_photos  # noqa: E402

Gst.init(None)
if not CHROMIUM or not all(map(Gst.ElementFactory.find, ("webrtcbin", "nicesink", "vp8enc"))):
    sys.exit(77)  # skipped

RED, BLUE = (160, 60, 60), (60, 60, 160)

# In the page: opens a WebSocket, answers the server's offer by what the function `answer` makes of the
# offer and of a good answer, and returns how the server closed the WebSocket.
ANSWER = """(answer => new Promise(done => {
  const connection = new RTCPeerConnection();
  const socket = new WebSocket(`ws://${location.host}/mosaic`);
  socket.onmessage = async message => {
    await connection.setRemoteDescription({type: "offer", sdp: message.data});
    await connection.setLocalDescription();
    for (const text of [answer(connection.localDescription.sdp, message.data)].flat())
      socket.send(text);
  };
  socket.onclose = event => { connection.close(); done(event.code); };
}))"""


class Page(Browser):
    """The example's page. The options let the loopback interface do, on a machine without a network."""

    def __init__(self, folder):
        super().__init__(folder, "--disable-gpu", "--allow-loopback-in-peer-connection",
                         "--use-fake-ui-for-media-stream")

    def state(self, tab):
        """The line of state of the page."""
        return self.evaluate(tab, "document.getElementById('state')?.textContent")

    def video(self, tab):
        """The picture of the video, as it is on the page."""
        place = self.evaluate(tab, "document.querySelector('video').getBoundingClientRect().toJSON()")
        return self.picture(tab, **{name: place[name] for name in ("x", "y", "width", "height")})


class Server:
    """The example, with this video."""

    def __init__(self, folder, video):
        self.process = subprocess.Popen(
            [sys.executable, EXAMPLES / "webrtc_server.py", folder / "photos", video, "0"],
            stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.port = int(self.url.rsplit(":", 1)[1].strip("/"))

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def request(self, path="/", method="GET", body=None, **headers):
        """The status of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.request(method, path, body, headers)
            return connection.getresponse().status
        finally:
            connection.close()

    def pipelines(self):
        """Counts the threads that pipelines have for their connection."""
        count = 0
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(OSError):  # It may have ended meanwhile.
                count += (task / "comm").read_text() == "web:ice\n"
        return count

    def memory(self):
        """The largest amount that it has had so far, in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024


def make_halves(path, frames):
    """Writes a clip that is red on the left and blue on the right."""
    red, blue = (f"videotestsrc num-buffers={frames} pattern=solid-color foreground-color=0xff"
                 f"{bytes(colour).hex()} ! video/x-raw,format=AYUV,width=320,height=360,framerate=2/1"
                 for colour in (RED, BLUE))
    launch(f"{red} ! compositor name=halves sink_1::xpos=320 ! videoconvert ! "
           f"x264enc speed-preset=ultrafast ! mp4mux ! filesink location={path} "
           f"{blue} ! halves.")


class WebrtcExample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Some of Chromium's processes may write into it a little longer than the first one lives.
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name, colours in (("red", "foreground-color=0xffe04040 background-color=0xff601010"),
                              ("blue", "foreground-color=0xff4040e0 background-color=0xff101060")):
            (cls.folder / "photos" / name).mkdir(parents=True)
            make_photos(cls.folder / "photos" / name, 30, f"circular {colours}")
        # Longer than the tests take.
        make_halves(cls.folder / "halves.mp4", 300)
        cls.server = cls.start_server(cls.folder / "halves.mp4")
        cls.browser = cls.start_browser("browser")
        try:
            cls.browser.call("Browser.getVersion")
        except (OSError, RuntimeError) as error:
            print(f"Chromium does not start here: {error}", file=sys.stderr)
            cls.doClassCleanups()
            sys.exit(77)  # skipped
        # A page of the server for scripts that act as other pages.
        cls.tab = cls.browser.open(cls.server.url)
        cls.browser.evaluate(cls.tab, "socket.close()")

    @classmethod
    def start_server(cls, video):
        server = Server(cls.folder, video)
        cls.addClassCleanup(server.kill)
        return server

    @classmethod
    def start_browser(cls, name):
        (cls.folder / name).mkdir()
        browser = Page(cls.folder / name)
        cls.addClassCleanup(browser.kill)
        return browser

    def tearDown(self):
        self.wait_for(0, self.server.pipelines)

    def wait_for(self, expected, function, *arguments):
        deadline = time.monotonic() + SECONDS
        while (value := function(*arguments)) != expected and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual(value, expected)

    def test_shows_the_mosaic(self):
        tab = self.browser.open(self.server.url)
        self.wait_for("Playing, 640 x 360.", self.browser.state, tab)
        # Three more frames.
        self.browser.evaluate(tab, """new Promise(done => {
          let frames = 3;
          const next = () => --frames ? video.requestVideoFrameCallback(next) : done();
          next();
        })""")
        picture = self.browser.video(tab)
        if SCREENSHOT:
            pathlib.Path(SCREENSHOT).write_bytes(base64.b64decode(
                self.browser.call("Page.captureScreenshot", tab)["data"]))
        self.browser.call("Page.close", tab)
        self.assertEqual(picture.size, (640, 360))
        self.assertGreater(len(set(picture.getdata())), 1000)
        for left, colour in (0, RED), (320, BLUE):
            half = ImageStat.Stat(picture.crop((left + 8, 8, left + 312, 352)))
            for mean, expected in zip(half.mean, colour):
                self.assertAlmostEqual(mean, expected, delta=12)
            # The clip has one colour here; the photos do not.
            self.assertGreater(max(half.stddev), 6)

    def test_says_when_the_video_has_ended(self):
        make_halves(self.folder / "short.mp4", 4)
        tab = self.browser.open(self.start_server(self.folder / "short.mp4").url)
        ended = "The server has stopped: the video has ended."
        self.wait_for(ended, self.browser.state, tab)
        # On a slow machine this comes last.
        self.browser.evaluate(tab, "video.dispatchEvent(new Event('playing'))")
        self.assertEqual(self.browser.state(tab), ended)

    def test_says_when_the_video_cannot_be_played(self):
        (self.folder / "broken.mp4").write_bytes(b"no video")
        server = self.start_server(self.folder / "broken.mp4")
        tab = self.browser.open(server.url)
        self.wait_for("The server has stopped: the pipeline failed; it has printed why.",
                      self.browser.state, tab)
        self.wait_for(0, server.pipelines)

    def test_stops_the_pipeline_of_a_page_that_vanished(self):
        browser = self.start_browser("vanishing")
        tab = browser.open(self.server.url)
        self.wait_for("Playing, 640 x 360.", browser.state, tab)
        self.assertEqual(self.server.pipelines(), 1)
        browser.kill()  # tearDown() waits for the pipeline to stop.

    def test_refuses_more_pages_than_it_can_serve(self):
        tabs = [self.browser.open(self.server.url) for _ in range(4)]
        self.wait_for(4, self.server.pipelines)
        one_more = self.browser.open(self.server.url)
        self.wait_for("The server has stopped: too many pages are open.", self.browser.state, one_more)
        for tab in *tabs, one_more:
            self.browser.call("Page.close", tab)

    def test_refuses_other_requests(self):
        request = self.server.request
        self.assertEqual(request(), 200)
        for path in "/webrtc.html", "/webrtc_server.py", "/../webrtc_server.py", "/etc/passwd", "/x" * 1000:
            self.assertEqual(request(path), 404, path)
        self.assertEqual(request("/mosaic/x", Origin=self.server.url[:-1]), 404)
        for method in "POST", "PUT", "DELETE", "OPTIONS":
            self.assertEqual(request(method=method, body="x"), 405, method)
        before = self.server.memory()
        self.assertEqual(request(body=bytes(100 << 20)), 413)
        self.assertEqual(request(method="POST", body=bytes(100 << 20)), 405)
        self.assertLess(self.server.memory() - before, 20 << 20)
        # A page of another site.
        self.assertEqual(request(Host=f"example.org:{self.server.port}"), 403)
        self.assertEqual(request("/mosaic", Origin="http://example.org"), 403)
        self.assertEqual(request("/mosaic"), 403)

    def test_refuses_bad_arguments(self):
        photos, used = self.folder / "photos", self.server.port
        for arguments, error in ((["nowhere"], "there is no folder nowhere"),
                                 ([photos, "", "http"], "http is not a port"),
                                 ([photos, "", "70000"], "70000 is not a port"),
                                 ([photos, "", "-1"], "-1 is not a port"),
                                 ([photos, "", str(used)], "cannot listen on that port")):
            with self.subTest(arguments=arguments):
                result = subprocess.run([sys.executable, EXAMPLES / "webrtc_server.py", *arguments],
                                        stderr=subprocess.PIPE, text=True, timeout=SECONDS)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, f"^{error}")

    def test_refuses_bad_answers(self):
        bad_data, too_big = 1007, 1009
        for answer, code in (
                ("''", bad_data), ("'hello'", bad_data), ("'v=0'", bad_data), ("offer", bad_data),
                ("new Uint8Array([0, 255, 254])", bad_data), ("good.split('m=')[0]", bad_data),
                ("good + good.slice(good.indexOf('m='))", bad_data), ("[good, good]", bad_data),
                ("good.replace(/a=fingerprint.*/, 'a=x')", bad_data),
                ("good.replace(/a=ice-pwd.*/, 'a=x')", bad_data),
                ("good.replace(/a=mid:.*/, 'a=mid:other')", bad_data),
                ("'x'.repeat(20000)", too_big)):
            with self.subTest(answer=answer):
                script = f"{ANSWER}((good, offer) => {answer})"
                self.assertEqual(self.browser.evaluate(self.tab, script), code)


if __name__ == "__main__":
    EXAMPLES = pathlib.Path(sys.argv.pop(1))
    SCREENSHOT = sys.argv.pop(1) if len(sys.argv) > 1 else None
    unittest.main(verbosity=2)
