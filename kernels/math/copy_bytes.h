// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Copies of rectangles of bytes: on a CPU row by row (cpu/vectors/vector_copy_bytes.h), elsewhere
/// by the plain loop below.
#pragma once

#include "kernels/group.h"

namespace mt {

/// Copies `rows` rows of `columns` bytes. Pitches are the bytes from one row to the next. The copy
/// may be read after a sync.
template <PlainGroup Group>
static MT_HD void copy_bytes(Group& g, const uint8_t* from, int64_t from_pitch, int rows,
                             int columns, uint8_t* to, int64_t to_pitch) {
  g.for_each(rows, columns, [=](int y, int x) { to[y * to_pitch + x] = from[y * from_pitch + x]; });
}

}  // namespace mt
