// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/frame/scene_change.h"
#include "kernels/group.h"
#include "kernels/kernel_list.h"
#include "kernels/math/sum_columns.h"

#include <cstdint>

namespace mt {

/// Makes the thumbnail, a small grey picture, by averaging boxes of pixels, and measures how much
/// it differs from earlier ones. Index: row of the thumbnail.
struct Thumbnail {
  static constexpr KernelId kId = KernelId::kThumbnail;
  static constexpr int kColumns = 4096;  ///< columns of `gray` processed together
  static constexpr int kRows = 256;      ///< rows of `gray` added up together
  static constexpr int kShared =
      shared_block<uint16_t>(kColumns) + shared_block<uint32_t>(kColumns);
  const uint8_t* gray;  ///< [height][stride]
  int32_t stride, width, height;
  uint8_t* small;                          ///< [rows][columns], written
  int32_t columns, rows;                   ///< at most width and height; columns: at least
                                           ///< width / kColumns
  const uint8_t* earlier[kEarlierFrames];  ///< [rows][columns] each; null: not compared
  int64_t* difference;  ///< [kEarlierFrames][rows]: sums of absolute differences; 0 where null

  template <class Group>
  MT_HD void operator()(Group& g, int row) const {
    uint16_t* part = g.template shared<uint16_t>(kColumns);
    uint32_t* sums = g.template shared<uint32_t>(kColumns);
    uint8_t* out = small + static_cast<int64_t>(row) * columns;
    const int boxes = static_cast<int>(int64_t{kColumns} * columns / width);
    for (int c = 0; c < columns; c += boxes)
      average(g, row, c, columns - c < boxes ? columns - c : boxes, part, sums, out);
    g.sync();
    for (int i = 0; i < kEarlierFrames; ++i) {
      int64_t sad = 0;
      if (earlier[i]) {
        const uint8_t* was = earlier[i] + static_cast<int64_t>(row) * columns;
        g.for_each(columns, [out, was, &sad](int c) {
          sad += out[c] > was[c] ? out[c] - was[c] : was[c] - out[c];
        });
      }
      const int64_t total = g.sum(sad);
      g.for_each(1, [this, row, i, total](int) { difference[i * rows + row] = total; });
    }
  }

 private:
  /// Averages n boxes of a row of the thumbnail. @param part, sums [kColumns], shared
  template <class Group>
  MT_HD void average(Group& g, int row, int first, int n, uint16_t* part, uint32_t* sums,
                     uint8_t* out) const {
    const int begin = edge(first, columns, width), end = edge(first + n, columns, width);
    const int top = edge(row, rows, height), bottom = edge(row + 1, rows, height);
    for (int y = top; y < bottom; y += kRows) {
      const int count = bottom - y < kRows ? bottom - y : kRows;
      g.sync();
      sum_columns(g, gray + static_cast<int64_t>(y) * stride + begin, stride, count, end - begin,
                  part);
      g.sync();
      const uint32_t kept = y > top ? UINT32_MAX : 0;
      g.for_each(end - begin, [=](int x) { sums[x] = (sums[x] & kept) + part[x]; });
    }
    g.sync();
    const int width_ = width, columns_ = columns, lines = bottom - top;
    g.for_each(n, [=](int i) {
      const int x0 = edge(first + i, columns_, width_), x1 = edge(first + i + 1, columns_, width_);
      uint32_t sum = 0;
      for (int x = x0; x < x1; ++x) sum += sums[x - begin];
      const uint32_t pixels = (x1 - x0) * lines;
      out[first + i] = static_cast<uint8_t>((sum + pixels / 2) / pixels);
    });
  }

  /// Where box i of n begins. Unsigned 32 bits, which hold 16384 x 16384, divide fastest.
  static MT_HD int edge(uint32_t i, uint32_t n, uint32_t size) {
    return static_cast<int>(i * size / n);
  }
};

}  // namespace mt
