// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/frame/scene_change.h"
#include "cuda/group.h"
#include "cuda/kernel_list.h"

#include <cstdint>

namespace mt {

/// Makes the thumbnail, a small grey picture, by averaging boxes of pixels, and measures how much
/// it differs from earlier ones. Index: row of the thumbnail.
struct Thumbnail {
  static constexpr KernelId kId = KernelId::kThumbnail;
  const uint8_t* gray;  ///< [height][stride]
  int32_t stride, width, height;
  uint8_t* small;                          ///< [rows][columns], written
  int32_t columns, rows;                   ///< at most width and height
  const uint8_t* earlier[kEarlierFrames];  ///< [rows][columns] each; null: not compared
  int64_t* difference;  ///< [kEarlierFrames][rows]: sums of absolute differences; 0 where null

  template <class Group>
  MT_HD void operator()(Group& g, int row) const {
    const int y0 = edge(row, rows, height), y1 = edge(row + 1, rows, height);
    const uint8_t* in = gray;
    uint8_t* out = small + static_cast<int64_t>(row) * columns;
    const int64_t pitch = stride;
    const int width_ = width, columns_ = columns;
    g.for_each(columns, [in, out, pitch, width_, columns_, y0, y1](int c) {
      const int x0 = edge(c, columns_, width_), x1 = edge(c + 1, columns_, width_);
      uint32_t sum = 0;
      for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) sum += in[y * pitch + x];
      const uint32_t pixels = (x1 - x0) * (y1 - y0);
      out[c] = static_cast<uint8_t>((sum + pixels / 2) / pixels);
    });
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
  /// Where box i of n begins. Unsigned 32 bits, which hold 16384 x 16384, divide fastest.
  static MT_HD int edge(uint32_t i, uint32_t n, uint32_t size) {
    return static_cast<int>(i * size / n);
  }
};

}  // namespace mt
