# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests the report of a clip: the page must contain the statistics, the diagrams and the frames.

usage: report_test.py REPORT.PY
"""
import base64
import html.parser
import io
import pathlib
import re
import subprocess
import sys
import tempfile

import PIL.Image

FRAMES = 14


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.images, self.diagrams, self.cells, self.inside = [], 0, [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.inside = tag
        if tag == "img":
            self.images.append(dict(attributes)["src"])
        self.diagrams += tag == "svg"

    def handle_data(self, data):
        if self.inside == "td" and data.strip():
            self.cells.append(data.strip())


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def main():
    report = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        clip, target = (str(pathlib.Path(folder) / name) for name in ("clip&1.avi", "page.html"))
        made = run("gst-launch-1.0", "-q", "videotestsrc", "pattern=ball", f"num-buffers={FRAMES}", "!",
                   "video/x-raw,width=322,height=180,framerate=25/1", "!", "jpegenc", "!", "avimux", "!",
                   "filesink", f"location={clip}")
        assert made.returncode == 0, made.stderr
        done = run(sys.executable, report, clip, target, "size=60", "profile-name=plain", "lookahead=8")
        assert done.returncode == 0, done.stderr
        text = pathlib.Path(target).read_text(encoding="utf-8")
        page = Page(text)
        figures = dict(zip(page.cells[::2], page.cells[1::2]))
        assert figures["frames"] == str(FRAMES), figures
        assert figures["keyframes"] == "1", figures
        assert 40 <= int(figures["cells"]) <= 80, figures
        assert page.diagrams == 7, page.diagrams
        assert "built-in" in text
        pictures = [PIL.Image.open(io.BytesIO(base64.b64decode(i.partition(",")[2]))) for i in page.images]
        assert len(pictures) >= 4 and len(pictures) % 2 == 0, len(pictures)
        assert all(p.size[0] == 640 for p in pictures)
        for source, mosaic in zip(pictures[::2], pictures[1::2]):
            assert source.tobytes() != mosaic.tobytes()
        assert not re.search(r'(?:src|href)="(?!data:|#)', text), "the page needs other files"

        for arguments, complaint in (((clip, target, "colour=3"), "no property colour"),
                                     ((clip + "x", target), "No such file")):
            failed = run(sys.executable, report, *arguments)
            assert failed.returncode == 1 and complaint in failed.stderr, failed.stderr


if __name__ == "__main__":
    main()
