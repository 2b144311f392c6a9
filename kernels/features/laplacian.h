// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The magnitude of the Laplacian of a smoothed 8-bit picture, to the last bit as OpenCV computes
/// it: GaussianBlur over 5 x 5 pixels with sigma 1.5, then Laplacian with aperture 1.
#pragma once

#include "kernels/features/cell_features.h"
#include "kernels/features/cell_layout.h"
#include "kernels/kernel_list.h"
#include "kernels/views.h"

namespace mt {

/// Gaussian blur over 5 x 5 pixels, sigma 1.5, reflected at the edges. Index: row.
struct GaussianBlur {
  static constexpr KernelId kId = KernelId::kGaussianBlur;
  /// Weights in 1/256: of the centre, and of the pixels at distance 1 and 2.
  static constexpr int32_t kMiddle = 74, kNear = 60, kFar = 31;
  static constexpr int kColumns = 4096;  ///< pixels processed together
  static constexpr int kShared = shared_block<uint16_t>(kColumns + 4);
  const int32_t* any;  ///< AnyChanged::any
  GrayView from;
  /// [height][to_stride], written: pixel x is at x + 1; before the first and after the last pixel
  /// is a reflected one.
  uint8_t* to;
  int32_t to_stride;  ///< at least width + 2

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    if (!*any) return;
    uint8_t* out = to + static_cast<int64_t>(y) * to_stride + 1;
    uint16_t* sums = g.template shared<uint16_t>(kColumns + 4);
    const int width = from.width;
    for (int begin = 0; begin < width; begin += kColumns) {
      const int n = width - begin < kColumns ? width - begin : kColumns;
      sum_columns(g, y, begin, n, sums);
      g.sync();
      g.for_each(n, [=](int i) {
        const uint32_t sum = kFar * (uint32_t{sums[i]} + sums[i + 4]) +
                             kNear * (uint32_t{sums[i + 1]} + sums[i + 3]) +
                             kMiddle * uint32_t{sums[i + 2]};
        out[begin + i] = static_cast<uint8_t>((sum + (1 << 15)) >> 16);
      });
      g.sync();
    }
    g.for_each(1, [=](int) {
      out[-1] = out[mirrored(-1, width)];
      out[width] = out[mirrored(width, width)];
    });
  }

 private:
  /// Weighted sums of the columns from begin - 2 to begin + n + 1, at most 255 x 256.
  template <class Group>
  MT_HD void sum_columns(Group& g, int y, int begin, int n, uint16_t* sums) const {
    const uint8_t* row[5];
    for (int k = 0; k < 5; ++k)
      row[k] = from.data + static_cast<int64_t>(mirrored(y + k - 2, from.height)) * from.stride;
    const uint8_t *a = row[0], *b = row[1], *c = row[2], *d = row[3], *e = row[4];
    const auto column = [=](int x) {
      return static_cast<uint16_t>(kFar * (a[x] + e[x]) + kNear * (b[x] + d[x]) + kMiddle * c[x]);
    };
    const int width = from.width, left = begin - 2;
    const int first = left < 0 ? 0 : left, end = begin + n + 2 < width ? begin + n + 2 : width;
    g.for_each(end - first, [=](int i) { sums[first - left + i] = column(first + i); });
    g.for_each(4, [=](int i) {
      const int x = i < 2 ? i - 2 : width + i - 2;  // beyond the edges
      if (x >= left && x < begin + n + 2) sums[x - left] = column(mirrored(x, width));
    });
  }
};

/// The Laplacian over the pixels of a cell in one strip of rows.
struct LaplacianPart {
  int32_t sum;  ///< of the magnitudes
  int32_t max;  ///< the largest magnitude, 0..1020
};

/// Sums the Laplacian's magnitudes for each cell over each strip of rows. Index: strip, see
/// CellLayout.
struct LaplacianParts {
  static constexpr KernelId kId = KernelId::kLaplacianParts;
  static constexpr int kColumns = 4096;  ///< pixels processed together
  static constexpr int kShared = 2 * shared_block<uint16_t>(kColumns);
  static_assert(CellLayout::kStripRows * 1020 < 1 << 16);
  const int32_t* any;  ///< AnyChanged::any
  CellLayout layout;
  const uint8_t* smooth;  ///< GaussianBlur::to
  int32_t stride;         ///< of `smooth`
  LaplacianPart* parts;   ///< [strips][columns], written

  template <class Group>
  MT_HD void operator()(Group& g, int strip) const {
    if (!*any) return;
    uint16_t* sums = g.template shared<uint16_t>(kColumns);
    uint16_t* most = g.template shared<uint16_t>(kColumns);
    const Span rows = layout.strip(strip);
    const int at_once = kColumns / layout.side;
    for (int first = 0; first < layout.columns; first += at_once) {
      const int last = first + at_once < layout.columns ? first + at_once : layout.columns;
      const Span x{layout.across(first).begin, layout.across(last - 1).end};
      g.for_each(x.end - x.begin, [=](int i) { sums[i] = most[i] = 0; });
      g.sync();
      for (int y = rows.begin; y < rows.end; ++y) {
        add_row(g, y, x, sums, most);
        g.sync();
      }
      LaplacianPart* out = parts + static_cast<int64_t>(strip) * layout.columns;
      g.for_each(last - first, [=, cells = layout](int i) {
        const Span cell = cells.across(first + i);
        LaplacianPart part{0, 0};
        for (int k = cell.begin - x.begin; k < cell.end - x.begin; ++k) {
          part.sum += sums[k];
          part.max = most[k] > part.max ? most[k] : part.max;
        }
        out[first + i] = part;
      });
      g.sync();
    }
  }

 private:
  template <class Group>
  MT_HD void add_row(Group& g, int y, Span x, uint16_t* sums, uint16_t* most) const {
    const uint8_t* here = smooth + x.begin + 1;
    const int height = layout.height;
    const uint8_t* above = here + static_cast<int64_t>(mirrored(y - 1, height)) * stride;
    const uint8_t* below = here + static_cast<int64_t>(mirrored(y + 1, height)) * stride;
    here += static_cast<int64_t>(y) * stride;
    g.for_each(x.end - x.begin, [=](int i) {
      const auto v =
          static_cast<int16_t>(above[i] + below[i] + here[i - 1] + here[i + 1] - 4 * here[i]);
      const auto magnitude = static_cast<uint16_t>(v < 0 ? -v : v);
      sums[i] = static_cast<uint16_t>(sums[i] + magnitude);
      most[i] = magnitude > most[i] ? magnitude : most[i];
    });
  }
};

}  // namespace mt
