// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Sums of absolute differences of bytes: on a CPU in vectors
/// (cpu/vectors/vector_sum_differences.h), elsewhere by the plain loop below.
#pragma once

#include "kernels/group.h"

namespace mt {

/// @return the worker's share of the sum over y, x of |a[y * pitch + x] - b[y * columns + x]|, to
///         be passed to g.sum(); rows * columns <= 2^23
template <PlainGroup Group>
static MT_HD int32_t sum_differences(Group& g, const uint8_t* a, int64_t pitch, int rows,
                                     int columns, const uint8_t* b) {
  int32_t sum = 0;
  g.for_each(rows, columns, [=, &sum](int y, int x) {
    const int32_t d = a[y * pitch + x] - b[y * columns + x];
    sum += d < 0 ? -d : d;
  });
  return sum;
}

}  // namespace mt
