# SPDX-License-Identifier: LGPL-2.1-or-later
"""Headless Chromium for tests of pages. Importing this fails with ImportError where Pillow is missing."""
import base64
import io
import json
import os
import select
import shutil
import signal
import subprocess
import time

from PIL import Image

CHROMIUM = shutil.which("chromium")
SECONDS = 60  # for what takes a moment on an idle machine


class Browser:
    """Headless Chromium, controlled by messages of the Chrome DevTools Protocol."""

    # Root and many containers cannot have the sandbox, and the /dev/shm of containers is small.
    OPTIONS = ("--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-dev-shm-usage",
               "--no-first-run", "--window-size=800,700")

    def __init__(self, folder, *options):
        self.log, self.received, self.number = folder / "log", b"", 0
        # It reads messages from descriptor 3 and writes them to 4.
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                ["sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >&2', "sh", CHROMIUM, *self.OPTIONS, *options,
                 f"--user-data-dir={folder}/profile"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, start_new_session=True,
                env={**os.environ, "HOME": str(folder)})

    def kill(self):
        """Ends it at once, without a word to the server."""
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def call(self, method, tab=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if tab:
            message["sessionId"] = tab
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        self.process.stdin.flush()
        deadline = time.monotonic() + SECONDS
        while True:  # Events come between the answers.
            while b"\0" not in self.received:
                wait = max(0, deadline - time.monotonic())
                data = (select.select([self.process.stdout], [], [], wait)[0] and
                        os.read(self.process.stdout.fileno(), 1 << 16))
                if not data:
                    raise RuntimeError(f"no answer to {method}; Chromium wrote: {self.log.read_text()}")
                self.received += data
            text, self.received = self.received.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, url):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        tab = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.navigate", tab, url=url)
        self.evaluate(tab, "document.readyState == 'complete' || new Promise(done => { onload = done; })")
        return tab

    def evaluate(self, tab, script):
        answer = self.call("Runtime.evaluate", tab, expression=script, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def picture(self, tab, **clip):
        """The picture of the page, or of a part of it: x, y, width, height."""
        part = {"clip": {**clip, "scale": 1}} if clip else {}
        data = self.call("Page.captureScreenshot", tab, **part)["data"]
        return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
