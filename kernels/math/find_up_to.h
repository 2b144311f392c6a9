// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Finding the small values of an array, which groups provide as g.find_up_to(): on a CPU a vector
/// form of it (cpu/vectors/vector_find_up_to.h), elsewhere the plain loop below.
#pragma once

#include "kernels/group.h"

namespace mt {

/// Elements that the vector form may write after the last result.
inline constexpr int kFindMargin = 16;

/// The plain form: writes i for each values[i] <= most, 0 <= i < n, in any order.
/// @param out    [n + kFindMargin], in shared memory
/// @param count  [1], in shared memory: receives their number. Both are to be read after a sync,
/// and
///               there must be one between earlier uses of them and the call
template <class Group>
static MT_HD void plain_find_up_to(Group& g, const uint32_t* values, int n, uint32_t most,
                                   int32_t* out, int32_t* count) {
  g.for_each(1, [=](int) { *count = 0; });
  g.sync();
  g.for_each(n, [=, &g](int i) {
    if (values[i] <= most) out[g.add(*count, 1)] = i;
  });
}

}  // namespace mt
