// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Finding the small values of an array: on a CPU in vectors (cpu/vectors/vector_find_up_to.h),
/// elsewhere by the plain loop below.
#pragma once

#include "kernels/group.h"

namespace mt {

/// Elements that the vector form may write after the last result.
inline constexpr int kFindMargin = 16;

/// Writes i for each values[i] <= most, 0 <= i < n, in any order.
/// @param out    [n + kFindMargin], in shared memory
/// @param count  [1], in shared memory: receives their number. Both are to be read after a sync,
///               and there must be one between earlier uses of them and the call
template <PlainGroup Group>
static MT_HD void find_up_to(Group& g, const uint32_t* values, int n, uint32_t most, int32_t* out,
                             int32_t* count) {
  g.for_each(1, [=](int) { *count = 0; });
  g.sync();
  g.for_each(n, [=, &g](int i) {
    if (values[i] <= most) out[g.add(*count, 1)] = i;
  });
}

}  // namespace mt
