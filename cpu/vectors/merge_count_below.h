// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// count_below() of kernels/math/count_below.h on a CPU.
#pragma once

#include "cpu/vectors/serial_group.h"
#include "kernels/math/count_below.h"

namespace mt {
namespace {

void count_below(SerialGroup&, const int32_t* values, const int32_t* sorted, int32_t* below) {
  int32_t count = 0;
  for (int i = 0; i < kCounted; ++i) {
    while (sorted[count] < values[i]) ++count;
    below[i] = count;
  }
}

}  // namespace
}  // namespace mt
