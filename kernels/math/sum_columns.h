// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Sums of columns of bytes: on a CPU in vectors (cpu/vectors/vector_sum_columns.h), elsewhere by
/// the plain loop below.
#pragma once

#include "kernels/group.h"

namespace mt {

/// sums[x] = the sum of in[y * pitch + x] over y. For at most 257 rows.
/// @param sums [columns], in shared memory; to be read after a sync
template <PlainGroup Group>
static MT_HD void sum_columns(Group& g, const uint8_t* in, int pitch, int rows, int columns,
                              uint16_t* sums) {
  g.for_each(columns, [=](int x) {
    uint32_t sum = 0;
    for (int y = 0; y < rows; ++y) sum += in[y * pitch + x];
    sums[x] = static_cast<uint16_t>(sum);
  });
}

}  // namespace mt
