// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Keeping integers within a range: values by clamping, indices by reflection at a border.
#pragma once

#include "kernels/group.h"

namespace mt {

static MT_HD inline int32_t clamp_int(int32_t v, int32_t low, int32_t high) {
  return v < low ? low : v > high ? high : v;
}

/// Reflects an index at the ends of 0..n-1 without repeating the end itself (OpenCV's
/// BORDER_REFLECT_101); for indices less than n beyond the range.
static MT_HD inline int reflect(int i, int n) {
  return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
}

/// The same for any index, however far outside.
static MT_HD inline int mirrored(int i, int n) {
  if (n == 1) return 0;
  while (i < 0 || i >= n) i = reflect(i, n);
  return i;
}

}  // namespace mt
