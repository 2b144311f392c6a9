// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// For each of 256 ascending numbers, how many of 256 others are less: on a CPU by merging the two
/// sequences (cpu/vectors/merge_count_below.h), elsewhere by a binary search for each number.
#pragma once

#include "kernels/group.h"

namespace mt {

/// Length of `values` and of `sorted`.
inline constexpr int kCounted = 256;

/// below[i] = how many numbers of `sorted` are less than values[i].
/// @param values [kCounted], ascending, none above the last of `sorted`
/// @param sorted [kCounted], ascending
/// @param below  [kCounted], in shared memory; to be read after a sync
template <PlainGroup Group>
static MT_HD void count_below(Group& g, const int32_t* values, const int32_t* sorted,
                              int32_t* below) {
  g.for_each(kCounted, [=](int i) {
    int32_t count = 0;
    for (int step = kCounted / 2; step > 0; step /= 2)
      count += sorted[count + step - 1] < values[i] ? step : 0;
    below[i] = count;
  });
}

}  // namespace mt
