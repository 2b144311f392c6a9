# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads what `gst-launch-1.0 -m` prints and sums up the mosaictemporal-stats messages.

As a program, it shows progress on a terminal and prints the figures at the end; it fails if there was
no message.
"""
import re
import statistics
import sys
import time

FIELD = re.compile(r"([\w-]+)=\((\w+)\)([^,;]+)")


def parse(line):
    """The fields of a stats message as numbers, or None for any other line."""
    if "mosaictemporal-stats" not in line:
        return None
    fields = {}
    for name, kind, value in FIELD.findall(line):
        if kind == "boolean":
            fields[name] = value.strip() == "true"
        elif kind not in ("string", "GstClockTime"):
            fields[name] = float(value)
    return fields


def read(lines, seen=None):
    """All stats messages among the lines, each with the time of its arrival as `arrived`."""
    messages = []
    for line in lines:
        message = parse(line)
        if message:
            message["arrived"] = time.perf_counter()
            messages.append(message)
            if seen:
                seen(message)
    return messages


def summary(messages):
    """Statistics of a clip. Shares of cells leave out the first frame and keyframes."""
    later = [m for m in messages[1:] if not m["keyframe"]]
    cells = messages[0]["cells"]

    def percent(name):
        return 100 * statistics.fmean(m[name] for m in later) / cells if later else 0.0

    wall = messages[-1]["arrived"] - messages[0]["arrived"]
    return {
        "frames": len(messages),
        "cells": int(cells),
        "tiles": int(messages[0]["tiles"]),
        "fps": (len(messages) - 1) / wall if wall > 0 else 0.0,
        "ms": statistics.median(m["ms"] for m in messages[1:] or messages),
        "changed": percent("changed"),
        "unexplained": percent("unexplained"),
        "repainted": percent("repainted"),
        "exact": sum(m["gap"] == 0 for m in messages),
        "gap": max(m["gap"] for m in messages),
        "keyframes": sum(m["keyframe"] for m in messages),
    }


def main():
    terminal = sys.stdout.isatty()

    def show(message):
        if terminal:
            print(f"\r\033[KDrawing … frame {int(message['frame']) + 1}", end="", flush=True)

    if not terminal:
        print("Drawing …", flush=True)
    messages = read(sys.stdin, show)
    if terminal:
        print("\r\033[K", end="")
    if not messages:
        sys.exit(1)
    s = summary(messages)
    print(f"{s['frames']} frames of {s['cells']} cells from {s['tiles']} tiles")
    print(f"  {s['ms']:.1f} ms a frame in the element (median), "
          f"{s['fps']:.1f} frames/s with decoding and encoding")
    print(f"  a frame changes {s['changed']:.1f} % of its tiles "
          f"({s['unexplained']:.1f} % without visible reason), redraws {s['repainted']:.1f} %")
    print(f"  assignment proven optimal on {s['exact']} frames, "
          f"largest gap {100 * s['gap']:.2f} %; {s['keyframes']} keyframes")


if __name__ == "__main__":
    main()
