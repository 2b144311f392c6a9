# SPDX-License-Identifier: LGPL-2.1-or-later
"""Photos of all kinds for the tests, as bytes of their files."""

import base64
import io
import math
import struct
import zlib

from PIL import Image

# Rows of a picture to columns and so on: how a picture lies in a file of each Exif orientation, so
# that turning it as the file says makes it upright.
STORED = {
    1: lambda image: image,
    2: lambda image: image.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
    3: lambda image: image.transpose(Image.Transpose.ROTATE_180),
    4: lambda image: image.transpose(Image.Transpose.FLIP_TOP_BOTTOM),
    5: lambda image: image.transpose(Image.Transpose.TRANSPOSE),
    6: lambda image: image.transpose(Image.Transpose.ROTATE_90),
    7: lambda image: image.transpose(Image.Transpose.TRANSVERSE),
    8: lambda image: image.transpose(Image.Transpose.ROTATE_270),
}

# 64x48 pixels, each (3 x, 3 y, 128); made with heif-enc -q 60.
HEIC = """
AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA
AAAAAAAAAAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAEAAMAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEA
AAAAAAAAlQACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAV
aW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAA
AQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAA
AwAgAAADACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAADAAAAAQcGl4
aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAAJ1t
ZGF0AAAAkSgBrwng6WzU6CbiRDEyegzRbW+YeWPrwp8LJxQTcj2oKd0TG96imcHvVvLdHpWemlHf47HkHmeAth5y
AOIx0Fys2P0OeSGL0Wo9R+4mNNci8VW1QQdmDqDurKqIvMEAAxUhH8UZjR7eUnWCxM4MR99Y578aRYV9HUvuR/X5
milOhyP+zk89d0uUAjg4jytkJW8=
"""
AVIF = """
AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA
AAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAVAAAACNpaW5mAAAA
AAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIABoAAAAAMYXYx
Q4EADAAAAAAUaXNwZQAAAAAAAABAAAAAMAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYIDhAAA
AFxtZGF0EgAKCRgVf72CBAQNCDJFFkAGGGGEAL9dSmstXGP7Y3NurnxgCbczoXFn+r19Jp782b/sFj3VKUAT6kkG
ImhiO3Gw2K9yWCHl83rzOP4NIeFc8nWA
"""


def gradient():
    """The picture of HEIC and AVIF, which is turned by no turn into itself."""
    image = Image.new("RGB", (64, 48))
    image.putdata([(3 * x, 3 * y, 128) for y in range(48) for x in range(64)])
    return image


def encoded(image, kind, orientation=1, **more):
    """A file of Pillow's."""
    exif = Image.Exif()
    if orientation != 1:
        exif[274] = orientation
        more["exif"] = exif
    if kind == "webp":
        more.setdefault("lossless", True)
    if kind == "jpeg":
        more.setdefault("quality", 95)
    file = io.BytesIO()
    STORED[orientation](image).save(file, kind, **more)
    return file.getvalue()


def animation(image, kind):
    """Two pictures; the other one is black."""
    return encoded(image, kind, save_all=True, append_images=[Image.new("RGB", image.size)], duration=100)


def without_end(jpeg):
    assert jpeg.endswith(b"\xff\xd9")
    return jpeg[:-2]


def with_stray_bytes(jpeg):
    """Between the first segment and the second, as some cameras write them."""
    length = struct.unpack(">H", jpeg[4:6])[0]
    return jpeg[:4 + length] + b"\x00\x12\x00" + jpeg[4 + length:]


def with_extra_segment(jpeg):
    """A segment of XMP before that of Exif."""
    xmp = b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x='adobe:ns:meta/'/>"
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(xmp) + 2) + xmp + jpeg[2:]


def png_of_16_bits(image):
    """Pillow writes no colours of 16 bits."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))

    width, height = image.size
    pixels = image.tobytes()
    rows = b"".join(b"\0" + b"".join(struct.pack(">H", 257 * value) for value in
                                     pixels[3 * width * y:3 * width * (y + 1)]) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


# Colour spaces: x and y of red, green and blue. White is D65.
PRIMARIES = {"Display P3": ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060)),
             "Adobe RGB": ((0.640, 0.330), (0.210, 0.710), (0.150, 0.060)),
             "sRGB": ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060))}
WHITE = (0.3127, 0.3290)
GAMMA = {"Display P3": None, "sRGB": None, "Adobe RGB": 563 / 256}  # None: the curve of sRGB
# From D65 to D50, the white of profiles (Bradford).
TO_D50 = ((1.0478112, 0.0228866, -0.0501270), (0.0295424, 0.9904844, -0.0170491),
          (-0.0092345, 0.0150436, 0.7521316))


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(len(b[0]))] for i in range(3)]


def inverse(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return [[(e * i - f * h) / det, (c * h - b * i) / det, (b * f - c * e) / det],
            [(f * g - d * i) / det, (a * i - c * g) / det, (c * d - a * f) / det],
            [(d * h - e * g) / det, (b * g - a * h) / det, (a * e - b * d) / det]]


def to_xyz(space):
    """The matrix from linear colours to XYZ of D65."""
    columns = [[x / y, 1, (1 - x - y) / y] for x, y in PRIMARIES[space]]
    matrix = [list(row) for row in zip(*columns)]
    x, y = WHITE
    scale = product(inverse(matrix), [[x / y], [1], [(1 - x - y) / y]])
    return [[row[i] * scale[i][0] for i in range(3)] for row in matrix]


def linear(value, gamma):
    if gamma:
        return value ** gamma
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def in_srgb(image, space):
    """What the colours of a picture in another space are in sRGB."""
    matrix = product(inverse(to_xyz("sRGB")), to_xyz(space))

    def encode(value):
        value = min(max(value, 0), 1)
        value = 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
        return round(255 * value)

    def convert(pixel):
        colour = product(matrix, [[linear(value / 255, GAMMA[space])] for value in pixel])
        return tuple(encode(value) for [value] in colour)

    converted = Image.new("RGB", image.size)
    converted.putdata([convert(pixel) for pixel in image.getdata()])
    return converted


def fixed(value):
    return struct.pack(">i", math.floor(value * 65536 + 0.5))


def tag_of_curve(gamma):
    if gamma:
        return b"curv" + bytes(4) + struct.pack(">IH", 1, round(gamma * 256)) + bytes(2)
    return b"para" + bytes(4) + struct.pack(">HH", 3, 0) + b"".join(
        fixed(value) for value in (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045))


def profile(tags, colours):
    """A colour profile (ICC.1:2010) of a screen."""
    text = b"desc" + bytes(4) + struct.pack(">I", len(tags["name"]) + 1) + tags["name"].encode() + bytes(79)
    data = {b"desc": text, b"wtpt": xyz_tag((0.9642, 1, 0.8249)), **tags["data"]}
    at, table, body = 128 + 4 + 12 * len(data), b"", b""
    for name, value in data.items():
        value += bytes(-len(value) % 4)
        table += name + struct.pack(">II", at + len(body), len(value))
        body += value
    header = (struct.pack(">I", at + len(body)) + bytes(4) + struct.pack(">I", 0x04200000) + b"mntr" +
              colours + b"XYZ " + bytes(12) + b"acsp" + bytes(28) + fixed(0.9642) + fixed(1) +
              fixed(0.8249))
    return header + bytes(128 - len(header)) + struct.pack(">I", len(data)) + table + body


def xyz_tag(colour):
    return b"XYZ " + bytes(4) + b"".join(fixed(value) for value in colour)


def profile_of(space):
    matrix, curve = product(TO_D50, to_xyz(space)), tag_of_curve(GAMMA[space])
    data = {name + b"XYZ": xyz_tag([row[i] for row in matrix]) for i, name in enumerate((b"r", b"g", b"b"))}
    data.update({name + b"TRC": curve for name in (b"r", b"g", b"b")})
    return profile({"name": space, "data": data}, b"RGB ")


def profile_of_greys(gamma):
    return profile({"name": "grey", "data": {b"kTRC": tag_of_curve(gamma)}}, b"GRAY")


def exif_of_adobe_rgb():
    """What cameras write in place of a profile: the interoperability R03."""
    def directory(*entries):
        return struct.pack("<H", len(entries)) + b"".join(entries) + bytes(4)

    def entry(tag, kind, value):
        return struct.pack("<HHI", tag, kind, 1 if kind != 2 else len(value)) + (
            value if kind == 2 else struct.pack("<I", value))

    text, short, long = 2, 3, 4
    return (b"Exif\0\0II*\0" + struct.pack("<I", 8) + directory(entry(0x8769, long, 26)) +
            directory(entry(0xA001, short, 65535), entry(0xA005, long, 56)) +
            directory(entry(1, text, b"R03\0")))


def avif_with_numbers(primaries, curve):
    data = bytearray(avif())
    at = data.index(b"nclx") + 4
    data[at:at + 4] = struct.pack(">HH", primaries, curve)
    return bytes(data)


def heic():
    return base64.b64decode(HEIC)


def avif(icc=b""):
    """With a colour profile in place of numbers for the colours."""
    data = base64.b64decode(AVIF)
    if not icc:
        return data
    at = data.index(b"colr") - 4
    old_size = struct.unpack(">I", data[at:at + 4])[0]
    box = struct.pack(">I", 12 + len(icc)) + b"colrprof" + icc
    data = bytearray(data[:at] + box + data[at + old_size:])
    # The sizes of the boxes around it, and where the pixels are.
    for name, distance in (b"meta", -4), (b"iprp", -4), (b"ipco", -4), (b"iloc", 16):
        at = data.index(name) + distance
        value = struct.unpack(">I", data[at:at + 4])[0] + len(box) - old_size
        data[at:at + 4] = struct.pack(">I", value)
    return bytes(data)
