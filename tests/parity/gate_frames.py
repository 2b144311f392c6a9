# SPDX-License-Identifier: LGPL-2.1-or-later
"""The frames that the gate compares: 24 that are drawn here, and 12 of two real clips, all 960x480,
BGR. 960 and 480 are multiples of 24, 40 and 60, the sides of the cells."""
import pathlib

import cv2
import numpy as np

WIDTH, HEIGHT = 960, 480
DRAWN = 24
# Which frames of which clip, spread over its scenes.
REAL = {"bigbuckbunny.mp4": (2, 17, 36, 52, 71, 88, 103, 125),
        "carphone_pristine.mp4": (0, 40, 80, 115)}
SKIN = ((120, 150, 210), (150, 180, 235), (70, 95, 150))


def drawn(number):
    """Frame 0..23: a ramp of hues behind moving shapes, noise, letters and faces."""
    random = np.random.default_rng(1000 + number)
    t = number / DRAWN
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    hue = (180 * (x / WIDTH + t)) % 180
    saturation = 40 + 160 * y / HEIGHT
    value = 90 + 120 * np.abs(np.sin(np.pi * (x / WIDTH - y / HEIGHT + t)))
    frame = cv2.cvtColor(np.dstack([hue, saturation, value]).astype(np.uint8), cv2.COLOR_HSV2BGR)
    shapes(frame, t)
    letters(frame, number)
    faces(frame, t)
    # Noise in a moving window, and a little grain everywhere.
    left = int((WIDTH - 200) * t)
    frame[60:180, left:left + 200] = random.integers(0, 256, (120, 200, 3), dtype=np.uint8)
    grain = random.integers(-3, 4, frame.shape)
    return np.clip(frame + grain, 0, 255).astype(np.uint8)


def shapes(frame, t):
    turn = 2 * np.pi * t
    for i in range(6):
        angle = turn * (1 + i % 3) + i
        centre = (int(WIDTH * (0.5 + 0.4 * np.cos(angle))), int(HEIGHT * (0.5 + 0.35 * np.sin(angle))))
        colour = tuple(int(v) for v in np.random.default_rng(i).integers(20, 236, 3))
        if i % 2:
            cv2.circle(frame, centre, 30 + 12 * i, colour, -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints((centre, (60 + 20 * i, 40 + 10 * i), np.degrees(angle)))
            cv2.fillPoly(frame, [box.astype(np.int32)], colour, cv2.LINE_AA)


def letters(frame, number):
    cv2.rectangle(frame, (40, 380), (460, 450), (245, 245, 245), -1)
    cv2.putText(frame, f"Mosaic {number:02d} Edges", (52, 432), cv2.FONT_HERSHEY_DUPLEX, 1.4,
                (15, 15, 15), 3, cv2.LINE_AA)
    for i in range(0, 200, 8):  # stripes
        cv2.line(frame, (720 + i, 330), (700 + i, 460), (10, 10, 10), 2)


def faces(frame, t):
    for i, skin in enumerate(SKIN):
        centre = (180 + 300 * i, int(250 + 60 * np.sin(2 * np.pi * (t + i / 3))))
        cv2.ellipse(frame, centre, (46, 62), 0, 0, 360, skin, -1, cv2.LINE_AA)
        for eye in (-18, 18):
            cv2.circle(frame, (centre[0] + eye, centre[1] - 14), 6, (30, 25, 20), -1, cv2.LINE_AA)
        cv2.ellipse(frame, (centre[0], centre[1] + 26), (18, 8), 0, 0, 180, (60, 50, 150), 3)


def real(folder):
    for name, wanted in REAL.items():
        clip = cv2.VideoCapture(str(pathlib.Path(folder) / name))
        for number in range(max(wanted) + 1):
            there, frame = clip.read()
            if not there:
                raise SystemExit(f"{name} has no frame {number}")
            if number in wanted:
                size = (WIDTH, HEIGHT)
                yield f"{name.split('.')[0]}-{number}", cv2.resize(frame, size,
                                                                  interpolation=cv2.INTER_AREA)


def all_frames(folder):
    """Names and pictures, the drawn ones first."""
    frames = {f"drawn-{i}": drawn(i) for i in range(DRAWN)}
    frames.update(real(folder))
    return frames
