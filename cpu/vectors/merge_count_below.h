// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// g.count_below() of kernels/math/count_below.h on a CPU.
#pragma once

#include "kernels/math/count_below.h"

namespace mt {
namespace {

void merge_count_below(const int32_t* values, const int32_t* sorted, int32_t* below) {
  int32_t count = 0;
  for (int i = 0; i < kCounted; ++i) {
    while (sorted[count] < values[i]) ++count;
    below[i] = count;
  }
}

}  // namespace
}  // namespace mt
