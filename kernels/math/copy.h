// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Copies of rectangles of bytes, which groups provide as g.copy(): on a CPU row by row, elsewhere
/// by the plain loop below.
#pragma once

#include "kernels/group.h"

namespace mt {

/// The plain form: copies rows of bytes. Pitches are the bytes from one row to the next.
template <class Group>
static MT_HD void plain_copy(Group& g, const uint8_t* from, int64_t from_pitch, int rows,
                             int columns, uint8_t* to, int64_t to_pitch) {
  g.for_each(rows, columns, [=](int y, int x) { to[y * to_pitch + x] = from[y * from_pitch + x]; });
}

}  // namespace mt
