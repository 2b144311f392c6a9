# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads mosaic streams as docs/mosaic-format.md says, by a decoder that was written from the document
and not from the code, and compares the tiles with those of the drawn mosaic.

usage: format_test.py PROGRAM
"""
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstApp, GstVideo  # noqa: E402,F401

from pipelines import launch, make_photos  # noqa: E402

KEY, OTHER, REPEATED, INDEX = 1, 2, 3, 4
COLOR_TRANSFER, BLEND_MIN, BLEND_MAX, FIDELITY = 4, 10, 11, 25  # numbers of the look's fields
LOOKS = ["profile-name=plain", "profile-name=plain fidelity=0.5 temporal-blend=6", "profile-name=vivid_b",
         "profile-name=faithful augment=false color-variants=2",
         "profile-name=plain size=9x7 unit=tile max-tile-uses=2"]
FRAMES = 40


class Coder:
    """The binary range coder."""

    def __init__(self, code):
        self.code, self.at, self.range, self.value, self.models = code, 0, 2 ** 32 - 1, 0, None
        for _ in range(4):
            self.value = self.value << 8 | self.byte()

    def byte(self):
        self.at += 1
        assert self.at <= len(self.code) + 8, "more than eight bytes after the end"
        return self.code[self.at - 1] if self.at <= len(self.code) else 0

    def choose(self, zero):
        """A bit that is 0 in the first `zero` of the range."""
        bit = self.value >= zero
        if bit:
            self.value -= zero
        return bit

    def normalise(self):
        while self.range < 2 ** 24:
            self.range, self.value = self.range << 8, self.value << 8 | self.byte()

    def bit(self, *name):
        fast, slow = self.models.get(name, (2 ** 14, 2 ** 14))
        zero = (self.range >> 15) * ((fast + slow + 1) // 2)
        bit = self.choose(zero)
        self.range = self.range - zero if bit else zero
        target = 0 if bit else 2 ** 15
        self.models[name] = (fast + math.trunc((target - fast) / 16), slow + math.trunc((target - slow) / 128))
        self.normalise()
        return bit

    def plain(self, bits):
        number = 0
        for _ in range(bits):
            self.range >>= 1
            number = number << 1 | self.choose(self.range)
            self.normalise()
        return number


class Decoder:
    def __init__(self):
        self.models = {}

    def read_header(self, payload):
        width, height, _, _, _, _, side, columns, rows = struct.unpack_from("<9I", payload)
        self.photos, = struct.unpack_from("<I", payload, 52)
        augment, hues, _, _, _, fields = struct.unpack_from("<BBHdIB", payload, 56)
        look = dict(struct.unpack_from("<Bd", payload, 73 + 9 * i) for i in range(fields))
        self.columns, self.rows = (-(-width // side), -(-height // side)) if side else (columns, rows)
        self.variants = (4 if augment else 1) * (1 + hues)
        pictures = any(look.get(field, 0) > 0 for field in (COLOR_TRANSFER, BLEND_MIN, BLEND_MAX))
        self.count = 31 if pictures else 15 if look.get(FIDELITY, 0) > 0 else 0
        cells = self.columns * self.rows
        self.models = {}
        self.tiles, self.numbers, self.drawn = [0] * cells, [[0] * self.count] * cells, [False] * cells
        return payload[73 + 9 * fields:]

    @staticmethod
    def tree(coder, name, bits):
        node = 1
        for _ in range(bits):
            node = 2 * node + coder.bit(name, node)
        return node - (1 << bits)

    def tile(self, coder):
        bits = (self.photos - 1).bit_length()
        photo = self.tree(coder, "photo", min(bits, 12))
        rest = max(bits - 12, 0)
        photo = photo << rest | coder.plain(rest)
        variant = self.tree(coder, "variant", (self.variants - 1).bit_length())
        assert photo < self.photos and variant < self.variants
        return photo + self.photos * variant

    def read_numbers(self, coder, cell, left, above, key):
        before = self.numbers[cell]
        if key:
            at = left if left is not None else above
            before = self.numbers[at] if at is not None else [0] * self.count
        numbers, others = [], [0, 0]
        for i in range(self.count):
            delta = 0
            if coder.bit("other", key, i, sum(others)):
                negative, bits = coder.bit("negative", key, i), 1
                while coder.bit("longer", key, i, bits):
                    bits += 1
                delta = 1
                if bits > 1:
                    delta = 2 * delta + coder.bit("second", key, i, bits)
                delta = delta << max(bits - 2, 0) | coder.plain(max(bits - 2, 0))
                delta = -delta if negative else delta
            others = [others[1], int(delta != 0)]
            numbers.append(before[i] + delta)
        self.numbers[cell] = numbers

    def around(self, flags, cell):
        """How many cells before the cell have a flag in this frame, and how many others in the one before."""
        row, column = divmod(cell, self.columns)

        def count(places):
            return min(3, sum(flags[(row + y) * self.columns + column + x] for y, x in places
                              if 0 <= row + y < self.rows and 0 <= column + x < self.columns))
        return (count([(-1, -1), (-1, 0), (-1, 1), (0, -1)]), count([(0, 0), (0, 1), (1, -1), (1, 0), (1, 1)]))

    def read_frame(self, code, key):
        coder = Coder(code)
        coder.models = self.models
        coder.plain(2)
        fades = coder.plain(5) > 0
        cells = len(self.tiles)
        if key:
            self.changed, self.drawn = [False] * cells, [False] * cells
        if not key and not coder.bit("any"):
            self.changed, self.drawn = [False] * cells, [False] * cells
            return coder
        changed = self.changed
        for cell in range(cells):
            left = cell - 1 if cell % self.columns else None
            above = cell - self.columns if cell >= self.columns else None
            if not key:
                changed[cell] = coder.bit("changed", *self.around(changed, cell))
            if key or changed[cell]:
                self.tiles[cell] = self.tile(coder)
            if fades:
                coder.bit("at once")
            if key and fades and coder.bit("in a crossfade"):
                self.tile(coder)
                share = coder.plain(17)
                assert 1 <= share <= 65536
                if share < 65536:
                    self.tile(coder)
            coder.bit("region")
            if self.count:
                self.drawn[cell] = coder.bit("drawn", bool(key or changed[cell]), *self.around(self.drawn, cell))
            if key or self.drawn[cell]:
                self.read_numbers(coder, cell, left, above, key)
        return coder

    def frames(self, file):
        """Yields the tiles of each frame, and which kind of packet it has."""
        at, keys, number = 0, [], 0
        while at < len(file):
            magic, version, kind, of_frame, time, size, _ = struct.unpack_from("<4sBBHQII", file, at)
            assert magic == b"MOSP" and version == 1
            payload = file[at + 24:at + 24 + size]
            if kind == INDEX:
                self.check_index(payload, keys, at + 24 + size == len(file))
            else:
                assert of_frame == number and time == number * Gst.SECOND // 25
                number += 1
                if kind == KEY:
                    keys.append((time, at))
                    payload = self.read_header(payload)
                if kind != REPEATED:
                    coder = self.read_frame(payload, kind == KEY)
                    assert len(payload) <= coder.at <= len(payload) + 8
                yield list(self.tiles), kind
            at += 24 + size

    @staticmethod
    def check_index(payload, keys, last):
        end, size, magic = struct.unpack("<QI4s", payload[-16:])
        assert last and magic == b"MOSI" and size == 24 + len(payload)
        assert end == FRAMES * Gst.SECOND // 25 and list(struct.iter_unpack("<QQ", payload[:-16])) == keys


def mosaic(folder, settings):
    return ("videotestsrc pattern=ball num-buffers=%d ! video/x-raw,format=RGB,width=160,height=120,framerate=25/1 ! "
            "mosaictemporal name=mosaic max-solve-time=0 tile-size=%d tile-location=%s/photos.mospack %s ! " %
            (FRAMES, 0 if "size=9x7" in settings else 16, folder, settings))


def drawn_tiles(folder, settings):
    """The tiles of every frame of the drawn mosaic, from its meta."""
    pipeline = Gst.parse_launch(mosaic(folder, settings) + "appsink name=sink sync=false")
    pipeline.set_state(Gst.State.PLAYING)
    sink, frames = pipeline.get_by_name("sink"), []
    while sample := sink.pull_sample():
        fields = sample.get_buffer().get_custom_meta("GstMosaicTemporalMeta").get_structure()
        frames.append(list(memoryview(fields.get_value("tile").get_data()).cast("i")))
    pipeline.set_state(Gst.State.NULL)
    return frames


def ask_for_keyframe(pipeline):
    """Makes the packet after the tenth a keyframe."""
    pad, seen = pipeline.get_by_name("mosaic").get_static_pad("src"), []

    def count(pad, _):
        seen.append(1)
        if len(seen) == 10:
            pad.send_event(GstVideo.video_event_new_upstream_force_key_unit(Gst.CLOCK_TIME_NONE, True, 0))
        return Gst.PadProbeReturn.OK
    pad.add_probe(Gst.PadProbeType.BUFFER, count)


def main():
    Gst.init(None)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "photos").mkdir()
        make_photos(folder / "photos", 90)
        subprocess.run([sys.argv[1], "pack", folder / "photos", "-o", folder / "photos.mospack"], check=True,
                       capture_output=True, timeout=60)
        changed = 0
        for look in LOOKS:
            launch(mosaic(folder, look) + f"application/x-mosaic ! filesink location={folder}/a.mosaic",
                   ask_for_keyframe)
            frames = list(Decoder().frames((folder / "a.mosaic").read_bytes()))
            expected = drawn_tiles(folder, look)
            assert len(frames) == len(expected) == FRAMES, look
            for number, ((tiles, _), drawn) in enumerate(zip(frames, expected)):
                assert tiles == drawn, f"{look}: frame {number}"
            assert [number for number, (_, kind) in enumerate(frames) if kind == KEY] == [0, 10], look
            changed += sum(first != second for (first, _), (second, _) in zip(frames, frames[1:]))
            print(look, "ok", flush=True)
        assert changed > 10, changed


main()
