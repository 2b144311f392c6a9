// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/group.h"
#include "kernels/kernel_list.h"
#include "kernels/motion/block_search.h"
#include "kernels/motion/cell_samples.h"
#include "kernels/network/join.h"

namespace mt {

/// From the flow of pixels the motion of cells: the mean of samples of the flow to the frame
/// before, as far as the flow from there leads back. The test is that of Sundaram, Brox and Keutzer
/// (ECCV 2010): the squared distance from where a pixel comes back to where it began is less than
/// 0.01 of the squared lengths of both flows and half a pixel. Index: cell.
struct CellFlow {
  static constexpr KernelId kId = KernelId::kCellFlow;
  static constexpr int kSamples = kCellSamples * kCellSamples;
  static constexpr int kMinSamples = kSamples / 4;  ///< with fewer, the motion is unknown
  const int32_t* backward;  ///< [height][width][2]: to the frame before, in 1 / kFlowUnit pixels
  const int32_t* forward;   ///< the same from the frame before
  int32_t width, height;
  const int32_t* x_at;  ///< [columns * kCellSamples]: pixels, 0..width - 1
  const int32_t* y_at;  ///< [rows * kCellSamples]: pixels, 0..height - 1
  int32_t columns;      ///< cells
  /// The size of a cell in pixels of the flow, as a fraction.
  int64_t cell_width, cell_width_of, cell_height, cell_height_of;
  CellMotion* motion;  ///< [cells], written

  template <class Group>
  MT_HD void operator()(Group& g, int cell) const {
    const CellFlow k = *this;
    const int32_t* xs = x_at + cell % columns * kCellSamples;
    const int32_t* ys = y_at + cell / columns * kCellSamples;
    int64_t good = 0, sum_x = 0, sum_y = 0;
    g.for_each(kSamples, [k, xs, ys, &good, &sum_x, &sum_y](int i) {
      const int x = xs[i % kCellSamples], y = ys[i / kCellSamples];
      const int32_t* to = k.backward + 2 * (int64_t{y} * k.width + x);
      const int64_t back_x = int64_t{x} + rounded(to[0]), back_y = int64_t{y} + rounded(to[1]);
      if (back_x < 0 || back_x >= k.width || back_y < 0 || back_y >= k.height) return;
      const int32_t* from = k.forward + 2 * (back_y * k.width + back_x);
      const int64_t off = square(int64_t{to[0]} + from[0]) + square(int64_t{to[1]} + from[1]);
      const int64_t lengths = square(to[0]) + square(to[1]) + square(from[0]) + square(from[1]);
      if (100 * off >= lengths + 50 * square(kFlowUnit)) return;
      ++good;
      sum_x += to[0];
      sum_y += to[1];
    });
    const int64_t count = g.sum(good), x = g.sum(sum_x), y = g.sum(sum_y);
    g.for_each(1, [k, cell, count, x, y](int) {
      CellMotion& out = k.motion[cell];
      if (count < kMinSamples) {
        out = {0, 0, 0};
        return;
      }
      // What the flow leads back to has moved the other way.
      out.x = divide(-x * kMotionUnit * k.cell_width_of, count * kFlowUnit * k.cell_width);
      out.y = divide(-y * kMotionUnit * k.cell_height_of, count * kFlowUnit * k.cell_height);
      out.confidence = static_cast<int32_t>(255 * count / kSamples);
    });
  }

 private:
  static MT_HD int64_t square(int64_t v) { return v * v; }
  static MT_HD int32_t rounded(int32_t flow) {
    return (flow + (flow < 0 ? -kFlowUnit / 2 : kFlowUnit / 2)) / kFlowUnit;
  }
  static MT_HD int32_t divide(int64_t a, int64_t b) {
    return static_cast<int32_t>((a + (a < 0 ? -b / 2 : b / 2)) / b);
  }
};

}  // namespace mt
