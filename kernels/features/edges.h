// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Edges as OpenCV's Canny finds them with thresholds 50 and 150, aperture 3 and the L1 norm:
/// gradients, thinning (non-maximum suppression), and then hysteresis.h.
#pragma once

#include "kernels/features/cell_features.h"
#include "kernels/kernel_list.h"
#include "kernels/views.h"

namespace mt {

/// A thinned pixel is a weak edge if its gradient is above the first, a strong one above the
/// second.
inline constexpr int32_t kWeakThreshold = 50, kStrongThreshold = 150;

/// One bit for each pixel, 32 to a word, the lowest bit leftmost. Each row has a word of zeros
/// before and after it, so that every word has neighbours; bits beyond the width are zero.
struct EdgeBits {
  uint32_t* bits;  ///< [height][words + 2]
  int32_t words;   ///< words of a row: width / 32, rounded up
  MT_HD uint32_t* row(int y) const { return bits + static_cast<int64_t>(y) * (words + 2) + 1; }
};

/// The number of bits that are 1.
static MT_HD inline int32_t set_bits(uint32_t v) {
  v -= v >> 1 & 0x55555555u;
  v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
  v = (v + (v >> 4)) & 0x0f0f0f0fu;
  return static_cast<int32_t>(v * 0x01010101u >> 24);
}

/// The gradient of each pixel: 4 |gradient| (L1 norm) + direction, with a border of zeros one pixel
/// wide around the picture.
struct GradientPlane {
  /// Directions: horizontal, vertical, along the falling diagonal (to the lower right), along the
  /// rising one.
  static constexpr int kAcross = 0, kDown = 1, kFalling = 2, kRising = 3;
  uint16_t* gradients;  ///< [height + 2][stride]
  int32_t stride;       ///< elements, at least width + 2
  /// Pixel 0 of row y; y from -1 to height.
  MT_HD uint16_t* row(int y) const { return gradients + static_cast<int64_t>(y + 1) * stride + 1; }
};

/// Gradients by the Sobel operator over 3 x 3 pixels, edge pixels repeated. Index: row.
struct SobelGradients {
  static constexpr KernelId kId = KernelId::kSobelGradients;
  const int32_t* any;  ///< AnyChanged::any
  GrayView from;
  GradientPlane to;

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    if (!*any) return;
    const int last = from.height - 1, width = from.width;
    const uint8_t* a = from.data + static_cast<int64_t>(clamp_int(y - 1, 0, last)) * from.stride;
    const uint8_t* b = from.data + static_cast<int64_t>(y) * from.stride;
    const uint8_t* c = from.data + static_cast<int64_t>(clamp_int(y + 1, 0, last)) * from.stride;
    uint16_t* out = to.row(y);
    const auto gradient = [=](int l, int x, int r) {
      const int16_t across = (a[r] - a[l]) + 2 * (b[r] - b[l]) + (c[r] - c[l]);
      const int16_t down = (c[l] - a[l]) + 2 * (c[x] - a[x]) + (c[r] - a[r]);
      return encoded(across, down);
    };
    g.for_each(width - 2, [=](int i) { out[i + 1] = gradient(i, i + 1, i + 2); });
    g.for_each(2, [=](int i) {
      const int x = i * (width - 1);
      out[x] = gradient(x > 0 ? x - 1 : 0, x, x + 1 < width ? x + 1 : x);
    });
  }

 private:
  static MT_HD uint16_t encoded(int16_t across, int16_t down) {
    const int16_t ax = across < 0 ? -across : across, ay = down < 0 ? -down : down;
    // OpenCV takes tan(22.5 degrees) as 13573 / 2^15. Times ax, that is an integer only for ax = 0,
    // so that comparing ay with its integer part is exact. tan(67.5 degrees) is tan(22.5) + 2.
    const int16_t part = ax * 27146 >> 16;
    const int16_t diagonal = (across ^ down) < 0 ? GradientPlane::kRising : GradientPlane::kFalling;
    const int16_t direction = ay <= part           ? GradientPlane::kAcross
                              : ay - 2 * ax > part ? GradientPlane::kDown
                                                   : diagonal;
    return static_cast<uint16_t>(4 * (ax + ay) + direction);
  }
};

/// Non-maximum suppression: keeps pixels whose gradient is larger than that of both neighbours in
/// its direction, and above a threshold. The right or lower neighbour may have the same gradient,
/// but not along a diagonal. Index: row.
struct ThinEdges {
  static constexpr KernelId kId = KernelId::kThinEdges;
  static constexpr int kColumns = 4096;  ///< pixels processed together
  static constexpr int kShared = shared_block<uint8_t>(kColumns);
  const int32_t* any;  ///< AnyChanged::any
  GradientPlane from;
  int32_t width;
  EdgeBits weak;    ///< gradient above kWeakThreshold, written
  EdgeBits strong;  ///< gradient above kStrongThreshold, written

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    if (!*any) return;
    uint8_t* codes = g.template shared<uint8_t>(kColumns);
    for (int begin = 0; begin < width; begin += kColumns) {
      const int n = width - begin < kColumns ? width - begin : kColumns, words = (n + 31) / 32;
      classify(g, y, begin, n, codes);
      g.for_each(words * 32 - n, [=](int i) { codes[n + i] = 0; });
      g.sync();
      uint32_t *weak_row = weak.row(y) + begin / 32, *strong_row = strong.row(y) + begin / 32;
      g.for_each(words, [=](int w) {
        const uint8_t* code = codes + 32 * w;
        uint32_t one = 0, two = 0;
        for (int b = 0; b < 32; ++b) {
          one |= static_cast<uint32_t>(code[b] & 1) << b;
          two |= static_cast<uint32_t>(code[b] >> 1) << b;
        }
        weak_row[w] = one;
        strong_row[w] = two;
      });
      g.sync();
    }
  }

 private:
  /// Codes of n pixels: 1 for a weak edge, 3 for a strong one, else 0.
  template <class Group>
  MT_HD void classify(Group& g, int y, int begin, int n, uint8_t* codes) const {
    const uint16_t *a = from.row(y - 1) + begin, *b = from.row(y) + begin,
                   *c = from.row(y + 1) + begin;
    g.for_each(n, [=](int x) {
      // All neighbours are read, so that the loop can be vectorised.
      const uint16_t upper_left = a[x - 1], upper = a[x], upper_right = a[x + 1], left = b[x - 1],
                     middle = b[x], right = b[x + 1], lower_left = c[x - 1], lower = c[x],
                     lower_right = c[x + 1];
      const uint16_t direction = middle & 3, here = middle >> 2;
      const uint16_t before = direction == GradientPlane::kAcross    ? left
                              : direction == GradientPlane::kDown    ? upper
                              : direction == GradientPlane::kFalling ? upper_left
                                                                     : upper_right;
      const uint16_t after = direction == GradientPlane::kAcross    ? right
                             : direction == GradientPlane::kDown    ? lower
                             : direction == GradientPlane::kFalling ? lower_right
                                                                    : lower_left;
      const uint16_t straight = direction < GradientPlane::kFalling;
      const uint16_t weak =
          (here > kWeakThreshold) & (here > before >> 2) & (here + straight > after >> 2);
      codes[x] = static_cast<uint8_t>(weak * (here > kStrongThreshold ? 3 : 1));
    });
  }
};

}  // namespace mt
