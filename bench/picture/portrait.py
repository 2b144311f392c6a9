# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes a film of 60 frames that shows scikit-image's portrait of an astronaut.

usage: portrait.py FILE.mkv
"""
import subprocess
import sys

import skimage.data

picture = skimage.data.astronaut()
height, width, _ = picture.shape
subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size",
                f"{width}x{height}", "-framerate", "25", "-i", "-", "-c:v", "ffv1", sys.argv[1]],
               input=picture.tobytes() * 60, check=True)
