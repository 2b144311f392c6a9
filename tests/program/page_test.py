#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: page_test.py PROGRAM [FOLDER_FOR_PICTURES]: the page that `serve` gives out, in headless Chromium
without a GPU: what it draws is compared with mosaicrender's pictures. It is skipped where the browser or
libsoup is missing. MOSAIC_SAMPLE_EVERY=1 in the environment tries all looks, shapes and failures, else one
of each kind."""

import json
import os
import pathlib
import struct
import sys
import tempfile
import unittest

try:
    from browser import CHROMIUM, Browser
except ImportError:
    sys.exit(77)  # skipped
from PIL import Image, ImageChops, ImageStat

from pipelines import launch, make_clip
from program_case import ffmpeg, main
from web_case import Server, WebCase, can_serve

WIDTH, HEIGHT, FRAMES, RATE = 320, 240, 30, 10
CROSSFADE = 5  # frames
GL = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
      "--hide-scrollbars")
ALL = os.environ.get("MOSAIC_SAMPLE_EVERY") == "1"
PICTURES = sys.argv.pop(2) if len(sys.argv) > 2 else None

# In the page: resolves when all that is to be seen is there, or to the page's message.
READY = """new Promise(done => {
  let complete = 0;
  const look = () => {
    const message = document.getElementById("message").textContent;
    if (message && !message.startsWith("Loading")) return done(message);
    complete = page.view && page.isComplete ? complete + 1 : 0;
    if (complete < 4) return setTimeout(look, 30);
    done("");
  };
  look();
})"""


class Tab:
    """The page at an address, without its controls."""

    def __init__(self, browser, url, width=WIDTH, height=HEIGHT):
        self.browser, self.tab = browser, browser.open("about:blank")
        browser.call("Emulation.setDeviceMetricsOverride", self.tab, width=width, height=height,
                     deviceScaleFactor=1, mobile=False)
        browser.call("Page.navigate", self.tab, url=url)
        self.run("document.readyState == 'complete' || new Promise(done => { onload = done; })")
        self.message = self.run(READY)

    def close(self):
        self.browser.call("Page.close", self.tab)

    def run(self, script):
        return self.browser.evaluate(self.tab, script)

    def picture(self, name, script=""):
        """What is drawn after a script has run."""
        self.run(script)
        assert self.run(READY) == ""
        self.run("document.querySelector('.bar').style.display = 'none'")
        picture = self.browser.picture(self.tab)
        if PICTURES:
            picture.save(f"{PICTURES}/{name}.png")
        return picture


def at(frame, view=""):
    """A script that stops the film at a frame."""
    return f"page.play(false); page.time = {frame / RATE}; {view}; 0"


def cells(picture, size):
    return picture.resize(size, Image.Resampling.BOX)


def difference(first, second):
    return ImageStat.Stat(ImageChops.difference(first, second).convert("L")).mean[0]


class Page(WebCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        make_clip("clip.mp4", FRAMES, "ball", f"width={WIDTH},height={HEIGHT}", RATE)
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        cls.browser = Browser(pathlib.Path(folder.name), *GL)
        cls.addClassCleanup(cls.browser.kill)

    def tab(self, url):
        """The page, until the end of the test."""
        tab = Tab(self.browser, url)
        self.addCleanup(tab.close)
        return tab

    def rendered(self, film, **crop):
        """The frames that mosaicrender draws."""
        width, height = WIDTH, HEIGHT
        more = " ".join(f"crop-{name}={value}" for name, value in crop.items())
        launch(f"filesrc location={film} ! mosaicparse ! mosaicrender pack-location=pictures.mospack {more} ! "
               f"video/x-raw,format=RGB,width={width},height={height} ! filesink location=drawn.rgb")
        data, size = pathlib.Path("drawn.rgb").read_bytes(), 3 * width * height
        return [Image.frombytes("RGB", (width, height), data[i:i + size]) for i in range(0, len(data), size)]

    def compare(self, film, frames, most, most_of_cells, grid=(16, 12)):
        """The greatest mean differences that are allowed, in levels: of pixels and of cells."""
        drawn = self.rendered(film)
        with Server(self.program, film, "pictures.mospack") as server:
            tab = self.tab(server.url)
            self.assertEqual(tab.message, "")
            for frame in frames:
                found = tab.picture(f"{pathlib.Path(film).stem}-{frame}", at(frame))
                self.assertLess(difference(found, drawn[frame]), most, (film, frame))
                self.assertLess(difference(cells(found, grid), cells(drawn[frame], grid)), most_of_cells, (film, frame))
                # Another frame's picture is farther away, so that the comparison means something.
                other = drawn[(frame + FRAMES // 2) % FRAMES]
                self.assertLess(2 * difference(found, drawn[frame]), difference(found, other), (film, frame))

    def test_draws_plain_mosaics(self):
        self.film("plain.mosaic", "clip.mp4", "--size", "16x12", "--preset", "plain")
        self.compare("plain.mosaic", (0, 11, 3, FRAMES - 1), most=2, most_of_cells=1)

    def test_draws_fidelity_and_crossfades_and_turned_hues(self):
        self.film("means.mosaic", "clip.mp4", "--size", "16x12", "--preset", "plain", "--fidelity", "0.5",
                  "--temporal-blend", str(CROSSFADE), "--color-variants", "3")
        frames = (1, 2, 3, 4, 5, 17, FRAMES - 1) if ALL else (3, 17)
        self.compare("means.mosaic", frames, most=3, most_of_cells=1.5)

    def test_comes_near_to_looks_that_need_the_source(self):
        """Their finishing is left out, but the colours of the cells are the source's."""
        for look in ("faithful", "vivid_b") if ALL else ("vivid_b",):
            self.film("look.mosaic", "clip.mp4", "--size", "16x12", "--preset", look)
            self.compare("look.mosaic", (6, 20), most=10, most_of_cells=5)

    def test_cells_and_photos_of_another_shape(self):
        self.film("wide.mosaic", "clip.mp4", "--tile-size", "20", "--preset", "plain", "--tile-aspect-ratio", "3:2")
        self.compare("wide.mosaic", (4,), most=2, most_of_cells=1.5, grid=(11, 12))

    @unittest.skipUnless(ALL, "one of the other pictures")
    def test_cells_of_an_exact_grid_and_cut_cells(self):
        self.film("shape.mosaic", "clip.mp4", "--size", "13x5", "--preset", "plain")
        self.compare("shape.mosaic", (4,), most=2, most_of_cells=1.5, grid=(13, 5))
        self.film("side.mosaic", "clip.mp4", "--tile-size", "27", "--preset", "plain")
        self.compare("side.mosaic", (4,), most=2, most_of_cells=1.5, grid=(12, 9))

    def test_a_window_of_another_shape_has_black_sides(self):
        self.film("window.mosaic", "clip.mp4", "--tile-size", "50", "--preset", "plain")  # cells are cut
        drawn = self.rendered("window.mosaic")[4]
        with Server(self.program, "window.mosaic", "pictures.mospack") as server:
            for width, height in ((WIDTH + 90, HEIGHT), (WIDTH, HEIGHT + 70)):
                tab = Tab(self.browser, server.url, width, height)
                self.addCleanup(tab.close)
                expected = Image.new("RGB", (width, height))
                expected.paste(drawn, ((width - WIDTH) // 2, (height - HEIGHT) // 2))
                self.assertLess(difference(tab.picture(f"window-{width}", at(4)), expected), 2)

    def test_zooms_into_a_photo(self):
        self.film("zoom.mosaic", "clip.mp4", "--size", "16x12", "--preset", "plain", "--augment", "false")
        views = (("one", 1 / 16, 16 * 5 + 7), ("half", 0.25, 16 * 4 + 6))
        for name, part, cell in views if ALL else views[:1]:
            x, y = (cell % 16 + 0.5) / 16 - part / 2, (cell // 16 + 0.5) / 12 - part / 2
            # Parts of mosaicrender begin at whole pixels of the whole mosaic, those of the page, too.
            drawn = self.rendered("zoom.mosaic", x=x, y=y, width=part, height=part)[8]
            with Server(self.program, "zoom.mosaic", "pictures.mospack") as server:
                tab = self.tab(server.url)
                found = tab.picture(f"zoom-{name}", at(8, f"page.view.scale = {1 / part}; "
                                                    f"page.view.move({{x: {x + part / 2}, y: {y + part / 2}}})"))
                self.assertLess(difference(found, drawn), 3, name)
                self.assertGreater(max(ImageStat.Stat(found).stddev), 10)

    def test_names_the_photo_under_the_pointer(self):
        self.film("names.mosaic", "clip.mp4", "--size", "16x12", "--preset", "plain", "--augment", "false",
                  "--temporal-blend", "0")
        drawn = self.rendered("names.mosaic")[5]
        with Server(self.program, "names.mosaic", "pictures.mospack") as server:
            tab = self.tab(server.url)
            tab.picture("names", at(5))
            name = ""
            for x, y in ((3, 3), (150, 100), (319, 239)):
                self.browser.call("Input.dispatchMouseEvent", tab.tab, type="mouseMoved", x=x, y=y)
                name = tab.run(f"""new Promise(done => {{
                  const look = () => page.pointer && page.pointer[0] === {x} &&
                    document.getElementById("name").textContent !== {json.dumps(name)} ?
                    done(document.getElementById("name").textContent) : setTimeout(look, 30);
                  look();
                }})""")
                with Image.open("pictures/" + name) as photo:
                    photo = photo.resize((20, 20), Image.Resampling.BOX)
                cell = drawn.crop((x // 20 * 20, y // 20 * 20, x // 20 * 20 + 20, y // 20 * 20 + 20))
                self.assertLess(difference(photo, cell), 6, name)

    def test_wheel_zooms_about_the_pointer_and_keys_go_back(self):
        self.film("wheel.mosaic", "clip.mp4", "--size", "16x12", "--preset", "plain")
        with Server(self.program, "wheel.mosaic", "pictures.mospack") as server:
            tab = self.tab(server.url)
            point = "JSON.stringify(page.view.pointAt(80, 60))"
            before = tab.run(point)
            for _ in range(10):
                self.browser.call("Input.dispatchMouseEvent", tab.tab, type="mouseWheel", x=80, y=60, deltaX=0,
                                  deltaY=-100)
            self.assertGreater(tab.run("page.view.scale"), 8)
            x, y = tab.run(f"Object.values(JSON.parse({point}))")
            self.assertAlmostEqual(x, 0.25, 3)
            self.assertAlmostEqual(y, 0.25, 3)
            self.assertIn("0.25", before)
            for kind in ("keyDown", "keyUp"):
                self.browser.call("Input.dispatchKeyEvent", tab.tab, type=kind, key="Escape")
            self.assertEqual(tab.run(READY), "")
            self.assertEqual(tab.run("page.view.scale"), 1)

    @unittest.skipUnless(ALL, "the other tests seek")
    def test_plays_and_begins_again(self):
        self.film("play.mosaic", "clip.mp4", "--size", "16x12", "--preset", "plain")
        with Server(self.program, "play.mosaic", "pictures.mospack") as server:
            tab = self.tab(server.url)
            seen = tab.run("""new Promise(done => {
              const seen = new Set();
              page.play(true);
              let last = 0;
              const look = () => {
                seen.add(page.film.at);
                if (page.film.at < last && page.film.isWhole) return done(seen.size);
                last = page.film.at;
                requestAnimationFrame(look);
              };
              look();
            })""")
            self.assertGreater(seen, 3)
            self.assertEqual(tab.run("page.film.frames.length"), FRAMES)

    def test_after_a_missing_frame_the_picture_stays_until_a_keyframe(self):
        first, missing = 15, 8
        size = f"s={WIDTH}x{HEIGHT}:r={RATE}:d={first / RATE}"
        ffmpeg("-f", "lavfi", "-i", f"testsrc2={size}", "-f", "lavfi", "-i", f"smptehdbars={size}",
               "-filter_complex", "[0][1]concat", "-pix_fmt", "yuv420p", "cut.mp4")
        self.film("cut.mosaic", "cut.mp4", "--size", "16x12", "--preset", "plain")
        drawn, data = self.rendered("cut.mosaic"), pathlib.Path("cut.mosaic").read_bytes()
        begins = [0]
        while begins[-1] < len(data):
            begins.append(begins[-1] + 24 + struct.unpack_from("<I", data, begins[-1] + 16)[0])
        pathlib.Path("cut.mosaic").write_bytes(data[:begins[missing]] + data[begins[missing + 1]:])
        with Server(self.program, "cut.mosaic", "pictures.mospack") as server:
            tab = self.tab(server.url)
            for frame, shown in ((4, 4), (12, missing - 1), (first + 4, first + 4)):
                found = tab.picture(f"missing-{frame}", at(frame))
                self.assertLess(difference(found, drawn[shown]), 2, frame)

    @unittest.skipUnless(ALL, "a missing frame is one of its kind")
    def test_photos_that_cannot_be_fetched_are_tried_again(self):
        self.film("again.mosaic", "clip.mp4", "--size", "16x12", "--preset", "plain")
        drawn = self.rendered("again.mosaic")
        with Server(self.program, "again.mosaic", "pictures.mospack") as server:
            tab = self.tab(server.url)
            tab.run("page.play(false); window.kept = window.fetch; window.fetch = () => Promise.reject(new Error()); 0")
            tab.run("for (const level of page.photos.levels) { level.photos.clear(); level.free = level.room; } page.photos.slots.fill(-1);"
                    "page.photos.slotsChanged = true; 0")
            tab.run("new Promise(done => { const look = () => page.photos.failures.size > 0 ? done() : "
                    "setTimeout(look, 30); look(); })")
            tab.run("window.fetch = window.kept; 0")
            tab.run("new Promise(done => { const look = () => page.photos.failures.size === 0 && "
                    "page.photos.levels[0].photos.size > 0 ? done() : setTimeout(look, 30); look(); })")
            self.assertLess(difference(tab.picture("again", at(6)), drawn[6]), 2)

    def test_damaged_films_are_told(self):
        film = pathlib.Path(self.film("whole.mosaic", "clip.mp4", "--size", "16x12")).read_bytes()
        middle = len(film) // 2
        with Server(self.program, "whole.mosaic", "pictures.mospack") as server:
            for name, data in (("cut", film[:middle]),  # which the server cannot send whole
                               ("bytes", film[:middle] + bytes(len(film) - middle))):
                pathlib.Path("whole.mosaic").write_bytes(data)
                tab = self.tab(server.url)
                self.assertIn("The film could not be read", tab.message)
                if name == "bytes":
                    self.assertIn("is no mosaic stream, or it is damaged", tab.message)
                    self.assertGreater(tab.run("page.film.frames.length"), 3)
                pathlib.Path("whole.mosaic").write_bytes(film)


if not CHROMIUM or not can_serve(sys.argv[1]):
    sys.exit(77)
main()
