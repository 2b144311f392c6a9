#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""usage: serve_test.py PROGRAM: `serve` as a server, and as files for another one. It is skipped where the
program was built without libsoup."""

import http.client
import io
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

from PIL import Image

from pipelines import make_clip
from program_case import main
from web_case import COUNT, LARGE, Server, WebCase, can_serve

PAGES = {32: 1024, 128: 64, 512: 1, 1024: 1}  # by their photos' side: photos in a page


class Serve(WebCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        make_clip("clip.mp4", 10)
        cls.film("a.mosaic", "clip.mp4", "--size", "12x9")

    def test_gives_out_the_film_and_the_photos(self):
        with Server(self.program, "a.mosaic", "pictures.mospack") as server:
            status, headers, page = server.ask("/")
            self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
            self.assertIn(b"</html>", page)
            self.assertEqual(server.ask("/index.html")[2], page)
            self.assertEqual(server.ask("/film.mosaic")[2], pathlib.Path("a.mosaic").read_bytes())
            about = json.loads(server.ask("/photos.json")[2])
            self.assertEqual(about["names"], [f"{i:02d}.png" for i in range(COUNT)])
            self.assertEqual(about["sides"], [512 if i % 3 == 0 else 64 for i in range(COUNT)])
            self.assertIn(about["hash"], self.run_program("pack", "pictures", "-o", "again.mospack").stderr)
            self.assertEqual(server.ask("/", "HEAD")[::2], (200, b""))
        self.assertEqual(server.status, 0)

    def test_a_page_holds_the_photos_side_by_side(self):
        with Server(self.program, "a.mosaic", "pictures.mospack") as server:
            for side, count in PAGES.items():
                for photo in (0, 1, COUNT - 1):
                    status, headers, data = server.ask(f"/tiles/{side}/{photo // count}.jpg?any")
                    self.assertEqual((status, headers["Content-Type"]), (200, "image/jpeg"))
                    page = Image.open(io.BytesIO(data)).convert("RGB")
                    self.check_photo(page, photo, side, count)

    def check_photo(self, page, photo, side, count):
        columns = int(count ** 0.5)
        if count == 1:  # as large as the pack has it
            side = page.width
            self.assertEqual(side, min(LARGE, 512) if photo % 3 == 0 else 64)
        self.assertEqual(page.size, (columns * side,) * 2)
        place = photo % count
        x, y = place % columns * side, place // columns * side
        corner, original = page.getpixel((x + side // 8, y + side // 8)), (255 - photo, photo, 128)
        self.assertLess(max(abs(a - b) for a, b in zip(corner, original)), 12, (photo, side))
        with Image.open(f"pictures/{photo:02d}.png") as picture:
            middle = picture.convert("L").resize((side, side)).getpixel((side * 3 // 4,) * 2)
        found = page.convert("L").getpixel((x + side * 3 // 4, y + side * 3 // 4))
        self.assertLess(abs(found - middle), 8, (photo, side))

    def test_nothing_else_is_given_out(self):
        with Server(self.program, "a.mosaic", "pictures.mospack") as server:
            for path in ("/a.mosaic", "/../a.mosaic", "/%2e%2e/etc/passwd", "/tiles/32/1.jpg", "/tiles/32/-1.jpg",
                         "/tiles/32/00.jpg", "/tiles/32/0.png", "/tiles/33/0.jpg", "/tiles/1024/99999999999.jpg",
                         f"/tiles/512/{COUNT}.jpg", "/tiles//0.jpg", "/tiles/32/.jpg", "/tiles/32", "//"):
                self.assertEqual(server.ask(path)[0], 404, path)
            self.assertEqual(server.ask("/", "POST")[0], 405)
            self.assertEqual(server.ask("/", "DELETE")[0], 405)

    def test_a_page_of_elsewhere_reads_nothing(self):
        """Its name may lead to this machine (DNS rebinding)."""
        with Server(self.program, "a.mosaic", "pictures.mospack") as server:
            for host in ("evil.example", f"evil.example:{server.port}", "localhost.evil.example", "127.0.0.1.nip.io"):
                self.assertEqual(server.ask("/photos.json", Host=host)[0], 403, host)
            for host in ("localhost", f"localhost:{server.port}", f"127.0.0.1:{server.port}", "[::1]", "[::1]:80"):
                self.assertEqual(server.ask("/photos.json", Host=host)[0], 200, host)
        with Server(self.program, "a.mosaic", "pictures.mospack", "--public") as server:
            self.assertEqual(server.ask("/photos.json", Host="wall.example")[0], 200)

    def test_the_body_of_a_request_is_not_kept(self):
        size = 96 << 20
        with Server(self.program, "a.mosaic", "pictures.mospack") as server:
            server.ask("/")
            before = server.memory()
            for method, status in (("POST", 405), ("GET", 200)):
                self.assertEqual(server.ask("/", method, bytes(size))[0], status)
            self.assertLess(server.memory() - before, size // 2)

    def test_a_damaged_photo_leaves_the_others(self):
        data = bytearray(pathlib.Path("pictures.mospack").read_bytes())
        # The corner of photo 1 is 8 pixels wide in its picture of 32 pixels, and 4 in that of 16, which comes before.
        corner = Image.open("pictures/01.png").convert("RGB").getpixel((2, 2))
        start = data.find(bytes(corner) * 8)
        self.assertGreater(start, 0)
        data[start] ^= 1
        pathlib.Path("damaged.mospack").write_bytes(data)
        with Server(self.program, "a.mosaic", "damaged.mospack") as server:
            status, _, found = server.ask("/tiles/32/0.jpg")
            self.assertEqual(status, 200)
            page = Image.open(io.BytesIO(found)).convert("RGB")
            self.check_photo(page, 2, 32, 1024)
            self.assertLess(max(page.getpixel((36, 4))), 12)  # black

    def test_ends_while_photos_are_prepared(self):
        for signals in ((signal.SIGTERM,), (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)):
            with Server(self.program, "a.mosaic", "pictures.mospack") as server:
                asking = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(12)]
                for number, connection in enumerate(asking):
                    connection.sendall(f"GET /tiles/128/{number % 2}.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                time.sleep(0.1)
                for number in signals:
                    server.process.send_signal(number)
                    time.sleep(0.01)
                for connection in asking:
                    connection.close()
            self.assertEqual(server.status, 0)

    def test_only_this_machine_can_connect_unless_it_is_public(self):
        def listens_to(*more):
            with Server(self.program, "a.mosaic", "pictures.mospack", *more) as server:
                wanted = f"{server.port:04X}"
                lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
                return {line.split()[1][:8] for line in lines
                        if line.split()[1].endswith(":" + wanted) and line.split()[3] == "0A"}
        self.assertEqual(listens_to(), {"0100007F"})
        self.assertLessEqual(listens_to("--public"), {"00000000"})

    def test_a_port_in_use_is_an_error(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = str(other.getsockname()[1])
            done = self.run_program("serve", "a.mosaic", "pictures.mospack", "--port", port, status=1)
        self.assertIn(f"port {port} cannot be used", done.stderr)

    def test_writes_files_for_any_server(self):
        self.run_program("serve", "a.mosaic", "pictures.mospack", "-o", "site")
        files = {str(path.relative_to("site")) for path in pathlib.Path("site").rglob("*") if path.is_file()}
        # Larger files of one photo are there if they show more.
        pages = {f"tiles/{side}/{i}.jpg" for side in (32, 128) for i in range(-(-COUNT // PAGES[side]))}
        pages |= {f"tiles/512/{i}.jpg" for i in range(0, COUNT, 3)}
        self.assertEqual(files, pages | {"index.html", "photos.json", "film.mosaic"})
        with Server(self.program, "a.mosaic", "pictures.mospack") as server:
            for name in sorted(files):
                self.assertEqual(pathlib.Path("site", name).read_bytes(), server.ask("/" + name)[2], name)
        for name in ("site", "site/", "photos"):
            done = self.run_program("serve", "a.mosaic", "pictures.mospack", "-o", name, status=1)
            self.assertIn("exists", done.stderr)
        self.run_program("serve", "a.mosaic", "pictures.mospack", "-o", "with-slash/")
        self.assertTrue(os.path.exists("with-slash/index.html"))
        done = self.run_program("serve", "a.mosaic", "pictures.mospack", "-o", "", status=2)
        self.assertIn("name a new folder", done.stderr)

    def test_an_interrupted_folder_leaves_nothing(self):
        with subprocess.Popen([self.program, "serve", "a.mosaic", "pictures.mospack", "-o", "late"],
                              stderr=subprocess.PIPE, text=True) as process:
            while not os.path.exists("late.partial") and process.poll() is None:
                time.sleep(0.002)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
        self.assertIn(process.returncode, (0, 130))  # it may have been faster
        self.assertEqual(os.path.exists("late"), process.returncode == 0)
        self.assertFalse(os.path.exists("late.partial"))

    def test_says_what_is_wrong(self):
        self.run_program("pack", "photos", "-o", "other.mospack")
        hashes = [self.run_program("pack", name, "-o", f"{name}.mospack").stderr.split("hash ")[1].strip()
                  for name in ("pictures", "photos")]
        done = self.run_program("serve", "a.mosaic", "other.mospack", status=1)
        for found in hashes:
            self.assertIn(found, done.stderr)
        pathlib.Path("text.mosaic").write_text("this is no mosaic")
        pathlib.Path("none.mosaic").write_bytes(b"")
        for film, pack, status, words in (
                ("text.mosaic", "pictures.mospack", 1, "text.mosaic: it is no mosaic stream"),
                ("none.mosaic", "pictures.mospack", 1, "none.mosaic: it is no mosaic stream"),
                ("missing.mosaic", "pictures.mospack", 1, "missing.mosaic"),
                ("photos", "pictures.mospack", 1, "photos: "),
                ("a.mosaic", "text.mosaic", 1, "text.mosaic"),
                ("a.mosaic", "missing.mospack", 1, "missing.mospack")):
            self.assertIn(words, self.run_program("serve", film, pack, status=status).stderr)
        for arguments, words in (((), "name a film and a pack"), (("a.mosaic",), "name a film and a pack"),
                                 (("a", "b", "c"), "name a film and a pack"), (("a", "b", "--port", "70000"), "65535"),
                                 (("--nonsense",), "nonsense")):
            self.assertIn(words, self.run_program("serve", *arguments, status=2).stderr)

    def test_a_film_that_becomes_shorter_is_not_a_whole_film(self):
        whole = pathlib.Path("a.mosaic").read_bytes()
        pathlib.Path("short.mosaic").write_bytes(whole + b"\0" * (1 << 20))
        with Server(self.program, "short.mosaic", "pictures.mospack") as server:
            os.truncate("short.mosaic", len(whole))
            with self.assertRaises((http.client.IncompleteRead, ConnectionResetError)):
                server.ask("/film.mosaic")
            self.assertEqual(server.ask("/")[0], 200)


if not can_serve(sys.argv[1]):
    sys.exit(77)
main()
