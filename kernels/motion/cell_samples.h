// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/group.h"
#include "kernels/kernel_list.h"

namespace mt {

/// Samples along each side of a cell. Motion is measured on them.
inline constexpr int kCellSamples = 8;

/// The range of pixels that a sample covers in the thumbnail, at least one pixel, in units of
/// 1 / kSpanUnit pixels.
struct SampleSpan {
  int32_t begin, end;
};
inline constexpr int kSpanBits = 8, kSpanUnit = 1 << kSpanBits;

/// Scales the thumbnail to kCellSamples x kCellSamples samples for each cell, each the mean of what
/// it covers, so that motion is measured in parts of a cell for all sizes of picture and cells.
/// Index: row of samples.
struct CellSamples {
  static constexpr KernelId kId = KernelId::kCellSamples;
  const uint8_t* small;    ///< [height][width]: Thumbnail::small
  int32_t width;           ///< pixels
  const SampleSpan* x_at;  ///< [columns], within the width
  const SampleSpan* y_at;  ///< [index], within the height
  uint8_t* samples;        ///< [rows of samples][columns], written
  int32_t columns;         ///< samples of a row

  template <class Group>
  MT_HD void operator()(Group& g, int row) const {
    const SampleSpan* spans = x_at;
    const uint8_t* in = small;
    const int64_t pitch = width;
    const SampleSpan y_span = y_at[row];
    uint8_t* out = samples + static_cast<int64_t>(row) * columns;
    g.for_each(columns, [=](int i) {
      const SampleSpan x_span = spans[i];
      int64_t sum = 0;
      for (int y = y_span.begin >> kSpanBits; (y << kSpanBits) < y_span.end; ++y) {
        int64_t line = 0;
        for (int x = x_span.begin >> kSpanBits; (x << kSpanBits) < x_span.end; ++x)
          line += int64_t{covered(x_span, x)} * in[y * pitch + x];
        sum += covered(y_span, y) * line;
      }
      const int64_t area = int64_t{x_span.end - x_span.begin} * (y_span.end - y_span.begin);
      out[i] = static_cast<uint8_t>((sum + area / 2) / area);
    });
  }

 private:
  /// How much of a pixel a span covers, 0..kSpanUnit.
  static MT_HD int covered(const SampleSpan& span, int pixel) {
    const int begin = pixel << kSpanBits, end = begin + kSpanUnit;
    return (span.end < end ? span.end : end) - (span.begin > begin ? span.begin : begin);
  }
};

}  // namespace mt
