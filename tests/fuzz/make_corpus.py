#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the binary seeds of the fuzzers: make_corpus.py

They go to corpus/photo, corpus/pool_cache, corpus/pack and corpus/frames beside this script. Needs Pillow. The
seeds of the other targets are text, and findings are added by hand.
"""

import io
import pathlib
import random
import struct

from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent


def write(target, name, data):
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def picture(mode, width=20, height=13):
    """Gradients and noise, so that every stage of an encoder has something to do."""
    rand = random.Random(1)
    image = Image.new("RGBA", (width, height))
    image.putdata(
        [
            (12 * x, 18 * y, rand.randrange(256), 255 - 8 * x if x > 9 else 255)
            for y in range(height)
            for x in range(width)
        ]
    )
    return image.convert("RGB").convert(mode) if mode not in ("RGBA", "LA") else image.convert(mode)


def encoded(image, kind, **options):
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def run_length_bmp(colours=4):
    """4x2 pixels, 8 bits, run-length coded: a run, literal pixels, ends of line and of the bitmap."""
    palette = b"".join(bytes((40 * i, 255 - 40 * i, 7 * i, 0)) for i in range(4))
    codes = bytes((4, 1, 0, 0, 0, 3, 0, 1, 2, 0, 1, 3, 0, 1))
    start = 54 + len(palette)
    file = struct.pack("<2sIHHI", b"BM", start + len(codes), 0, 0, start)
    info = struct.pack("<IiiHHIIiiII", 40, 4, 2, 1, 8, 1, len(codes), 0, 0, colours, 0)
    return file + info + palette + codes


def photos():
    rgb = picture("RGB")
    exif = Image.Exif()
    exif[0x0112] = 6
    write("photo", "baseline.jpg", encoded(rgb, "JPEG", quality=60))
    write("photo", "progressive.jpg", encoded(rgb, "JPEG", quality=60, progressive=True))
    write("photo", "rotated.jpg", encoded(rgb, "JPEG", quality=30, exif=exif.tobytes()))
    write("photo", "grey.jpg", encoded(picture("L"), "JPEG", quality=50, restart_marker_blocks=1))
    write("photo", "cmyk.jpg", encoded(picture("CMYK"), "JPEG", quality=40))
    write("photo", "rgb.png", encoded(rgb, "PNG"))
    write("photo", "rgba.png", encoded(picture("RGBA"), "PNG"))
    write("photo", "palette.png", encoded(picture("P"), "PNG", transparency=3, bits=8))
    write("photo", "bits.png", encoded(picture("1"), "PNG"))
    write("photo", "grey16.png", encoded(picture("L").convert("I;16"), "PNG"))
    write("photo", "lossy.webp", encoded(rgb, "WEBP", quality=40))
    write("photo", "lossless.webp", encoded(rgb, "WEBP", lossless=True))
    write("photo", "alpha.webp", encoded(picture("RGBA"), "WEBP", quality=40))
    two = {"save_all": True, "append_images": [picture("RGB", 20, 13).rotate(180)], "duration": 40}
    write("photo", "animated.webp", encoded(rgb, "WEBP", quality=10, **two))
    for compression in ("tiff_lzw", "tiff_deflate", "jpeg"):
        name = compression.replace("tiff_", "") + ".tif"
        write("photo", name, encoded(rgb, "TIFF", compression=compression))
    write("photo", "group4.tif", encoded(picture("1"), "TIFF", compression="group4"))
    write("photo", "palette.tif", encoded(picture("P"), "TIFF", compression="packbits"))
    write("photo", "rgb.bmp", encoded(rgb, "BMP"))
    write("photo", "bits.bmp", encoded(picture("1"), "BMP"))
    write("photo", "runs.bmp", run_length_bmp())
    write("photo", "claims.bmp", run_length_bmp(colours=0xFFFFFF00))
    two["append_images"] = [picture("P").rotate(180)]
    animated = encoded(picture("P"), "GIF", **two)
    write("photo", "animated.gif", animated)
    large = animated.replace(struct.pack("<cHHHH", b",", 0, 0, 20, 13), b"," + bytes(4) + b"\xff" * 4)
    write("photo", "frame.gif", large)


SIDE, SOURCE = 8, 4  # as in pool_cache_fuzz.cpp


def pool_cache(look, skipped, wildest=3000):
    """A file as PoolCache writes it; the target corrects magic, checksum and key."""
    rand = random.Random(look)
    photos, pixels = SOURCE - len(skipped), SIDE * SIDE
    texts = b"".join(b"photo %d is broken\0" % i for i in skipped)
    header = struct.pack("<B31x6IQ", look, SIDE, SIDE, SIDE, 1, photos, len(skipped), len(texts))

    def numbers(form, count, least, most):
        return struct.pack(f"<{count}{form}", *(rand.randint(least, most) for _ in range(count)))

    def stats():
        means = [rand.randint(16, 235) for _ in range(6)]
        return struct.pack(
            "<6i6q4i",
            *(pixels * m for m in means),
            *(pixels * (m * m + 50) for m in means[3:]),
            *(pixels * means[3 + a] * means[3 + b] for a, b in ((0, 1), (0, 2), (1, 2))),
            *(rand.randint(-4000, 4000) for _ in range(3)),
            pixels * rand.randint(0, 255),
        )

    parts = [
        header,
        struct.pack(f"<{len(skipped)}I", *skipped),
        texts,
        numbers("B", 3 * pixels * photos, 0, 255),
        (numbers("h", 191, 0, wildest) + bytes(2)) * photos,
        numbers("h", 192 * photos, -512, 511),
        b"".join(stats() for _ in range(photos)),
        numbers("B", pixels * photos, 0, 255),
    ]
    return b"".join(part + bytes(-len(part) % 64) for part in parts)


def pools():
    write("pool_cache", "four", pool_cache(0, []))
    write("pool_cache", "three", pool_cache(3, [1]))
    write("pool_cache", "one", pool_cache(7, [0, 2, 3]))
    write("pool_cache", "two", pool_cache(9, [1, 3]))
    write("pool_cache", "wild", pool_cache(2, [0], wildest=32767))


def pack(sizes):
    """A pack of one chunk (docs/pack-format.md), whose checksum the target corrects. sizes: for each photo the
    bytes of what is taken for its JPEG files."""
    photos, jpegs = [], []
    for number, jpeg in enumerate(sizes):
        levels = [bytes([number]) * (3 * side * side) for side in (16, 32, 64)]
        levels += [bytes([number + 1]) * size for size in jpeg]
        photos.append(levels[:3])
        jpegs += levels[3:]
    entries = b"".join(struct.pack("<Q56x4I2I", number, *(list(jpeg) + [0] * 4)[:4], 2, 0)
                       for number, jpeg in enumerate(sizes))
    names = b"".join(b"%02d" % number for number in range(len(sizes)))
    levels = b"".join(photo[level] for level in range(3) for photo in photos) + b"".join(jpegs)
    size = 32 + len(entries) + len(names) + len(levels)
    header = struct.pack("<8s2I4sI3Q", b"MOSPACK\n", 1, 0, b"MOSC", len(sizes), size, len(names), 0)
    return header + entries + names + levels


def packs():
    write("pack", "small", pack([()]))
    write("pack", "jpegs", pack([(10, 20, 30, 40)]))
    write("pack", "two", pack([(5,), (7, 9)]))


FIDELITY, TRANSFER, LAPLACIAN, SHARPNESS = 25, 4, 8, 22  # numbers of a look's fields


def stream_frame(payload, key):
    return struct.pack("<H", len(payload) | (0x8000 if key else 0)) + payload


def stream_header(fields, side=8):
    """The header of a stream of 5 x 3 cells; the hash is put in by the target."""
    header = struct.pack("<4I2I3I2QI2B2xdI", 40, 24, 1, 1, 25, 1, side, 0, 0, 0, 0, 5, 1, 0, 0.5, 0)
    return header + bytes([len(fields)]) + b"".join(struct.pack("<Bd", *field) for field in fields)


def streams():
    body = bytes((i * 73 + 11) & 0xFF for i in range(120))
    for name, fields in {
        "nothing": [],
        "means": [(FIDELITY, 0.5)],
        "pictures": [(TRANSFER, 5), (FIDELITY, 0.5)],
        "finished": [(TRANSFER, 1), (LAPLACIAN, 1), (SHARPNESS, 0.3)],
    }.items():
        key = stream_header(fields) + body
        write("stream", name, stream_frame(key, True) + stream_frame(body, False) + stream_frame(body[5:], False))


VIDEO, CROP, REGION, MEMORY, PUSH, CLICK = range(6)  # Kind in frames_fuzz.cpp
I420, NV12, RGB = 0, 2, 4  # the first byte: twice the index of the format, odd if scaled


def frames(caps, *records):
    data = bytes([caps])
    for kind, field, value in records:
        data += struct.pack("<BBi", kind, field, value)
    return data


def crop(x, y, width, height):
    return [(CROP, i, v) for i, v in enumerate((x, y, width, height))]


def region(x, y, width, height):
    return [(REGION, (i or 4), v) for i, v in enumerate((x, y, width, height))]


def layout(width, height, offsets, strides):
    """A GstVideoMeta."""
    values = list(enumerate((width, height)))
    values += [(4 + i, v) for i, v in enumerate(offsets)]
    values += [(8 + i, v) for i, v in enumerate(strides)]
    return [(VIDEO, field, value) for field, value in values]


def metadata():
    push = (PUSH, 0, 0)
    click = (CLICK, 0, 200 << 16 | 300)
    write("frames", "plain", frames(I420, push, click, (PUSH, 1, 0), click))
    write("frames", "scaled", frames(I420 + 1, push, click, (CLICK, 1, -5 << 16 | 900)))
    padded = layout(48, 32, (0, 2048, 2560), (64, 32, 32))
    write("frames", "padded", frames(I420, (MEMORY, 0, 3072), *padded, push, push))
    large = [(MEMORY, 0, 64 * 40 * 3), *layout(60, 40, (0,), (192,)), *crop(5, 3, 48, 32)]
    write("frames", "cropped", frames(RGB, *large, *region(0, 0, 20, 20), push))
    write("frames", "regions", frames(NV12, *region(8, 8, 16, 16), *region(-1, -1, -1, -1), push))
    parts = [(MEMORY, 1, 2), (MEMORY, 2, 0)]
    write("frames", "memories", frames(NV12, *parts, push, (MEMORY, 0, 100), push))
    write("frames", "nowhere", frames(RGB, push, (CLICK, 4, 0), (CLICK, 64, 0), (CLICK, 128, 0)))
    hostile = [(3, 0), (3, 4), (2, 0), (2, 23), (1, 4800), (4, -4), (5, 1 << 30), (8, -72), (9, 0), (10, 2**31 - 1)]
    for field, value in hostile:
        write("frames", f"field{field}-{value}", frames(I420, (VIDEO, field, value), push, push))


if __name__ == "__main__":
    photos()
    pools()
    packs()
    streams()
    metadata()
