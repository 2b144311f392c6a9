// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Joins the flow of overlapping windows to that of a frame, in fixed point, so that the order of
/// the windows does not matter.
#pragma once

#include <cstdint>

#include "kernels/group.h"
#include "kernels/kernel_list.h"

namespace mt {

/// Units of a joined flow to a pixel.
inline constexpr int kFlowUnit = 256;
/// Where weights of windows add up to this in each dimension.
inline constexpr int kWindowWeight = 1 << 14;

/// Adds the flow of a window, times its weights, to sums. Index: row of the window.
struct AddWindow {
  static constexpr KernelId kId = KernelId::kAddWindow;
  const float* flow;  ///< [height][pitch][2], pixels; at most 2^15 in each direction
  int32_t pitch;
  int32_t width, height;
  const uint16_t *column_weights, *row_weights;  ///< [width], [height], at most kWindowWeight
  int64_t* sums;       ///< of the window's first pixel: [height][sums_pitch][2]
  int32_t sums_pitch;  ///< width of the frame

  template <class Group>
  MT_HD void operator()(Group& g, int row) const {
    const float* from = flow + int64_t{2} * row * pitch;
    int64_t* to = sums + int64_t{2} * row * sums_pitch;
    const uint16_t* columns = column_weights;
    const int64_t weight = row_weights[row];
    g.for_each(width, 2, [=](int x, int c) {
      const float v = from[2 * x + c] * kFlowUnit;
      const auto rounded = static_cast<int32_t>(v < 0 ? v - 0.5f : v + 0.5f);
      to[2 * x + c] += weight * columns[x] * rounded;
    });
  }
};

/// Divides sums of windows by the sum of their weights. Index: row.
struct JoinWindows {
  static constexpr KernelId kId = KernelId::kJoinWindows;
  int64_t* sums;  ///< [height][width][2], set to 0
  int32_t width;
  int32_t* flow;  ///< [height][width][2], in 1 / kFlowUnit pixels

  template <class Group>
  MT_HD void operator()(Group& g, int row) const {
    int64_t* from = sums + int64_t{2} * row * width;
    int32_t* to = flow + int64_t{2} * row * width;
    g.for_each(2 * width, [=](int i) {
      constexpr int64_t kAll = int64_t{kWindowWeight} * kWindowWeight;
      to[i] = static_cast<int32_t>((from[i] + (from[i] < 0 ? -kAll / 2 : kAll / 2)) / kAll);
      from[i] = 0;
    });
  }
};

}  // namespace mt
