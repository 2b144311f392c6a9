# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sample pictures that are drawn without any library, and the hashes of our results for them.

The live comparisons cover these pictures too; with MOSAIC_STORE_HASHES=1 they write the hashes to
`hashes/`, with the versions of the libraries that they compared with. stored.py compares with these
hashes where mosaicraft and OpenCV are not installed. Pictures are packed R, G, B and computed in
integers only, so that they are the same with every version of Python.
"""
import hashlib
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import zlib

FOLDER = pathlib.Path(__file__).parent / "hashes"
SIDES = (24, 40, 60)
PROFILES = ("ultra", "natural", "vivid", "vivid_b", "tile")
GATE_SIZE, GATE_SIDE = (960, 480), 40
TRANSFERS = ("adaptive_reinhard", "histogram", "hybrid", "mkl", "mkl_hybrid")
TRANSFER_SIDE, TRANSFER_PAIRS = 40, 16
HUES = ((1, 4), (0, 5))  # (augmented or not, number of hues)
HUE_SIDE = 40
RERANK_SIDE, RERANK_COLUMNS, RERANK_ROWS, RERANK_TILES, RERANK_NEAREST = 24, 24, 18, 480, 25
SEAM_LEVELS = (1, 2, 4)
FLOW_SEEDS = (1, 2)
FLOW_SIZES = ((192, 128), (320, 160))  # torchvision's smallest is 128


def noise(seed, width, height):
    return random.Random(seed).randbytes(3 * width * height)


def soft(seed, width, height, step):
    """Random colours every `step` pixels, interpolated in between."""
    columns, rows = width // step + 2, height // step + 2
    lattice = random.Random(seed).randbytes(3 * columns * rows)
    out = bytearray()
    for y in range(height):
        row, down = divmod(y, step)
        a, b = 3 * columns * row, 3 * columns * (row + 1)
        mixed = [(lattice[a + i] * (step - down) + lattice[b + i] * down) for i in range(3 * columns)]
        for x in range(width):
            column, right = divmod(x, step)
            i = 3 * column
            left = step - right
            out += bytes((mixed[j] * left + mixed[j + 3] * right) // (step * step)
                         for j in (i, i + 1, i + 2))
    return bytes(out)


def scene(seed, width, height):
    """Soft colours with boxes, discs and a field of noise in front."""
    picture = bytearray(soft(seed, width, height, max(8, height // 6)))
    draw = random.Random(seed + 1)
    for shape in range(24):
        colour, radius = draw.randbytes(3), draw.randrange(height // 30 + 2, height // 6 + 3)
        cx, cy = draw.randrange(width), draw.randrange(height)
        for y in range(max(0, cy - radius), min(height, cy + radius)):
            half = radius
            while shape % 2 and half * half + (y - cy) ** 2 > radius * radius:
                half -= 1
            first, last = max(0, cx - half), min(width, cx + half)
            if first < last:
                at = 3 * (y * width + first)
                picture[at:at + 3 * (last - first)] = colour * (last - first)
    for y in range(height // 8, height // 3):
        at = 3 * (y * width + width // 8)
        picture[at:at + 3 * (width // 4)] = draw.randbytes(3 * (width // 4))
    return bytes(picture)


def grained(seed, picture):
    """The picture with grain, as photographs have it: flat areas distinguish no tiles, and in them
    structural similarity depends strongly on differences of a single level."""
    grain = random.Random(seed).randbytes(len(picture))
    return bytes((7 * p + g) // 8 for p, g in zip(picture, grain))


def photos(side, count):
    return [grained(i, soft(2000 + i, side, side, (3, 5, 8, side // 2, side, 2 * side)[i % 6]))
            for i in range(count)]


def tiles(side, count):
    """Tiles with soft colours (some of them with an edge in the middle), with noise, and flat ones."""
    out = []
    for i in range(count):
        if i % 8 == 7:
            tile = noise(i, side, side)
        elif i % 8 == 6:
            tile = bytes((37 * i % 256, 101 * i % 256, 59 * i % 256)) * (side * side)
        else:
            tile = soft(i, side, side, (3, 5, 8, side // 2, side, 2 * side)[i % 6])
        if i % 8 == 5:
            half = 3 * side * (side // 2)
            tile = tile[:half] + soft(1000 + i, side, side, side)[half:]
        out.append(tile)
    return out


def planar(tile):
    return tile[0::3] + tile[1::3] + tile[2::3]


def write_png(path, width, height, pixels):
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))

    rows = b"".join(b"\0" + pixels[3 * width * y:3 * width * (y + 1)] for y in range(height))
    path.write_bytes(b"\x89PNG\r\n\x1a\n"
                     + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def write_photos(folder):
    """100 photos of 80 x 80, enough for a grid of GATE_SIDE."""
    for i, tile in enumerate(photos(80, 100)):
        write_png(pathlib.Path(folder) / f"{i:03}.png", 80, 80, tile)


def rerank_input():
    """Tiles, cells, assignment and nearest tiles, as dump_rerank reads them."""
    shown = photos(RERANK_SIDE, RERANK_TILES)
    width, height = RERANK_COLUMNS * RERANK_SIDE, RERANK_ROWS * RERANK_SIDE
    target = grained(3, scene(3, width, height))
    cells = []
    for y in range(0, height, RERANK_SIDE):
        for x in range(0, width, RERANK_SIDE):
            cells.append(b"".join(target[3 * ((y + i) * width + x):3 * ((y + i) * width + x + RERANK_SIDE)]
                                  for i in range(RERANK_SIDE)))
    draw = random.Random(5)
    assignment = draw.sample(range(RERANK_TILES), len(cells))
    nearest = [draw.sample(range(RERANK_TILES), RERANK_NEAREST) for _ in cells]
    return shown, target, cells, assignment, nearest


def int32(values):
    return struct.pack(f"<{len(values)}i", *values)


def flows():
    """(seed of the weights, size, updates) of each sample of a flow."""
    return ((1, FLOW_SIZES[0], 12), (2, FLOW_SIZES[0], 3), (2, FLOW_SIZES[1], 12))


def flow_weights(folder, seed):
    """The path of a file of random weights in a folder, which is written if it is not there."""
    path = pathlib.Path(folder) / f"{seed}.safetensors"
    if not path.exists():
        script = pathlib.Path(__file__).parents[2] / "scripts" / "raft_weights.py"
        subprocess.run([sys.executable, script, "--random", str(seed), path], check=True)
    return path


def moving_frames(width, height):
    """Three frames: a scene that moves by 3, 1 and then by -2, 2 pixels."""
    whole = scene(9, width + 8, height + 8)
    pitch = 3 * (width + 8)
    return [b"".join(whole[y * pitch + 3 * left:][:3 * width] for y in range(top, top + height))
            for left, top in ((4, 4), (1, 3), (3, 1))]


class Hashes:
    """The hashes of one script. It calls check() with each result, and close() at the end."""

    def __init__(self, script, compared=None):
        """@param compared: packages that are compared with, in place of those of requirements.txt"""
        self.compared = compared
        self.path = FOLDER / f"{script}.json"
        self.storing = os.environ.get("MOSAIC_STORE_HASHES") == "1"
        self.stored = json.loads(self.path.read_text())["hashes"] if self.path.exists() else {}
        self.seen, self.wrong = {}, []

    def check(self, name, output):
        self.seen[name] = hashlib.sha256(output).hexdigest()
        if not self.storing and self.stored.get(name) != self.seen[name]:
            self.wrong.append(name)
            print(f"{name}: not the bytes that were compared when the hashes were stored")

    def close(self, good=True):
        """Returns whether all hashes are as stored and none is missing. With MOSAIC_STORE_HASHES=1,
        stores them instead if the results are `good`, and returns whether they are."""
        if self.storing and good:
            import importlib.metadata
            names = self.compared or [line.split("==")[0] for line in
                     (FOLDER.parent / "requirements.txt").read_text().splitlines() if "==" in line]
            versions = {name: importlib.metadata.version(name) for name in names}
            FOLDER.mkdir(exist_ok=True)
            self.path.write_text(json.dumps({"compared with": versions, "hashes": self.seen},
                                            indent=1) + "\n")
            return True
        if self.storing:
            return False
        missing = sorted(set(self.stored) ^ set(self.seen))
        for name in missing:
            print(f"{name}: stored or computed, not both")
        return not self.wrong and not missing
