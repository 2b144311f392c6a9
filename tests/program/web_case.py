# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the tests of `serve` share: films, a pack, and a server."""
import http.client
import pathlib
import re
import signal
import subprocess

from PIL import Image

from program_case import ProgramCase

COUNT = 90
LARGE = 560  # pixels: of every third photo; the others have 100


def make_pictures(folder):
    """Photos that differ from each other, each with an upper left corner of its own."""
    gradient = Image.linear_gradient("L").rotate(45, expand=True)
    pathlib.Path(folder).mkdir()
    for number in range(COUNT):
        colours = [tuple(number * step % 256 for step in steps) for steps in ((7, 59, 101), (83, 29, 11))]
        image = Image.composite(*(Image.new("RGB", gradient.size, colour) for colour in colours), gradient)
        side = LARGE if number % 3 == 0 else 100
        image = image.resize((side, side))
        image.paste((255 - number, number, 128), (0, 0, side // 4, side // 4))
        image.save(f"{folder}/{number:02d}.png")


class Server:
    """The program as a server, until the end of a `with`."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, "serve", *arguments, "--port", "0"], stderr=subprocess.PIPE,
                                        text=True)
        line = self.process.stderr.readline()
        assert "http://localhost:" in line, line
        self.url = line.split("open ")[1].split(" ")[0]
        self.port = int(self.url.rsplit(":", 1)[1].strip("/"))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.send_signal(signal.SIGINT)
        try:
            self.status = self.process.wait(timeout=60)
        finally:
            self.process.kill()
            self.process.stderr.close()

    def ask(self, path, method="GET", body=None, **headers):
        """The status of the answer, its headers and its body. Not every machine knows the name localhost."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()


    def memory(self):
        """The largest amount that it has had so far, in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024


def can_serve(program):
    """Whether the program was built with libsoup."""
    done = subprocess.run([program, "serve", "--help"], capture_output=True, text=True, check=True)
    return "without libsoup" not in done.stdout


class WebCase(ProgramCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        make_pictures("pictures")
        cls.make("pack", "pictures", "-o", "pictures.mospack")

    @classmethod
    def make(cls, *arguments):
        subprocess.run([cls.program, *arguments], check=True, capture_output=True, timeout=120)

    @classmethod
    def film(cls, name, source, *arguments):
        """Makes a film of indices with the photos of the pack."""
        cls.make(source, "--tiles", "pictures.mospack", "-o", name, "--force", *arguments)
        return name
