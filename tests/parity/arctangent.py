# SPDX-License-Identifier: LGPL-2.1-or-later
"""numpy.arctan2 as it is on processors with AVX-512, on every processor; to import it replaces it.

In single precision its last bit hangs on the processor: 45 degrees are just below pi / 4 with
AVX-512 and pi / 4 elsewhere. That is an edge of mosaicraft's histograms of directions, and such
gradients are common: by that bit alone it chose other tiles for up to 7 % of a frame's cells.
Ours are those that it chooses with AVX-512, see direction() in cuda/cell_features.h.
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
