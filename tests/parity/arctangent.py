# SPDX-License-Identifier: LGPL-2.1-or-later
"""Importing this replaces numpy.arctan2 by a version with the results of AVX-512 on every processor.

In single precision its last bit depends on the processor: 45 degrees are just below pi / 4 with
AVX-512, and pi / 4 without. pi / 4 is an edge between two bins of mosaicraft's histograms of
directions, and gradients of 45 degrees are common: this bit alone changes the tiles of up to 7 % of
a frame's cells. Our tiles are those that mosaicraft chooses with AVX-512; see direction() in
kernels/features/cell_features.h.
"""
import numpy as np

DIAGONAL = np.nextafter(np.float32(np.pi / 4), np.float32(0))
native = np.arctan2


def arctan2(y, x):
    angle = native(y, x)
    if angle.dtype != np.float32:
        return angle
    return np.where((y == x) & (x > 0), DIAGONAL, angle)


np.arctan2 = arctan2
