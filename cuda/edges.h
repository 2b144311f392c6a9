// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Edges as OpenCV's Canny finds them with thresholds 50 and 150, aperture 3 and the L1 norm.
#pragma once

#include "cuda/cell_features.h"
#include "cuda/kernel_list.h"
#include "cuda/views.h"

namespace mt {

/// Sums of absolute differences above which a ridge of the gradient may be an edge, and is one.
inline constexpr int32_t kMayBeEdge = 50, kIsEdge = 150;

/// A bit a pixel, 32 to a word, the lowest the leftmost. A word of zeros stands on each side of a
/// row, so that neighbours need no care; bits beyond the width are zero.
struct EdgeBits {
  uint32_t* bits;  ///< [height][words + 2]
  int32_t words;   ///< of a row: width / 32, rounded up
  MT_HD uint32_t* row(int y) const { return bits + static_cast<int64_t>(y) * (words + 2) + 1; }
};

static MT_HD inline int32_t set_bits(uint32_t v) {
  v -= v >> 1 & 0x55555555u;
  v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
  v = (v + (v >> 4)) & 0x0f0f0f0fu;
  return static_cast<int32_t>(v * 0x01010101u >> 24);
}

/// How steep each pixel is and which way: 4 |gradient| (L1) + direction. A frame of zeros one pixel
/// wide stands around the picture.
struct SlopePlane {
  /// Directions, by which neighbours are compared: beside, above and below, along the falling
  /// diagonal (down to the right), along the rising one.
  static constexpr int kAcross = 0, kDown = 1, kFalling = 2, kRising = 3;
  uint16_t* slopes;  ///< [height + 2][stride]
  int32_t stride;    ///< width + 2 or more
  /// Of pixel 0 of row y; y from -1 to height.
  MT_HD uint16_t* row(int y) const { return slopes + static_cast<int64_t>(y + 1) * stride + 1; }
};

/// Gradients by the Sobel operator over 3 x 3 pixels, edges repeated. Index: row.
struct Slopes {
  static constexpr KernelId kId = KernelId::kSlopes;
  const int32_t* any;  ///< of AnyChanged
  GrayView from;
  SlopePlane to;

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    if (!*any) return;
    const int last = from.height - 1, width = from.width;
    const uint8_t* a = from.data + static_cast<int64_t>(clamp_int(y - 1, 0, last)) * from.stride;
    const uint8_t* b = from.data + static_cast<int64_t>(y) * from.stride;
    const uint8_t* c = from.data + static_cast<int64_t>(clamp_int(y + 1, 0, last)) * from.stride;
    uint16_t* out = to.row(y);
    const auto slope = [=](int l, int x, int r) {
      const int16_t across = (a[r] - a[l]) + 2 * (b[r] - b[l]) + (c[r] - c[l]);
      const int16_t down = (c[l] - a[l]) + 2 * (c[x] - a[x]) + (c[r] - a[r]);
      return steepness(across, down);
    };
    g.for_each(width - 2, [=](int i) { out[i + 1] = slope(i, i + 1, i + 2); });
    g.for_each(2, [=](int i) {
      const int x = i * (width - 1);
      out[x] = slope(x > 0 ? x - 1 : 0, x, x + 1 < width ? x + 1 : x);
    });
  }

 private:
  static MT_HD uint16_t steepness(int16_t across, int16_t down) {
    const int16_t ax = across < 0 ? -across : across, ay = down < 0 ? -down : down;
    // tan(22.5 degrees) is 13573 / 2^15 to OpenCV; that times ax is whole at 0 only, so that its
    // whole part decides all comparisons. tan(67.5 degrees) is 2 more.
    const int16_t part = ax * 27146 >> 16;
    const int16_t diagonal = (across ^ down) < 0 ? SlopePlane::kRising : SlopePlane::kFalling;
    const int16_t direction = ay <= part           ? SlopePlane::kAcross
                              : ay - 2 * ax > part ? SlopePlane::kDown
                                                   : diagonal;
    return static_cast<uint16_t>(4 * (ax + ay) + direction);
  }
};

/// Ridges: pixels steeper than both neighbours in the direction of the gradient; the one to the
/// right or below may be as steep, but not along a diagonal. Index: row.
struct Ridges {
  static constexpr KernelId kId = KernelId::kRidges;
  static constexpr int kColumns = 4096;  ///< at once
  static constexpr int kShared = shared_block<uint8_t>(kColumns);
  const int32_t* any;  ///< of AnyChanged
  SlopePlane from;
  int32_t width;
  EdgeBits may_be;  ///< steeper than kMayBeEdge
  EdgeBits is;      ///< steeper than kIsEdge

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    if (!*any) return;
    uint8_t* codes = g.template shared<uint8_t>(kColumns);
    for (int begin = 0; begin < width; begin += kColumns) {
      const int n = width - begin < kColumns ? width - begin : kColumns, words = (n + 31) / 32;
      classify(g, y, begin, n, codes);
      g.for_each(words * 32 - n, [=](int i) { codes[n + i] = 0; });
      g.sync();
      uint32_t *weak = may_be.row(y) + begin / 32, *strong = is.row(y) + begin / 32;
      g.for_each(words, [=](int w) {
        const uint8_t* code = codes + 32 * w;
        uint32_t one = 0, two = 0;
        for (int b = 0; b < 32; ++b) {
          one |= static_cast<uint32_t>(code[b] & 1) << b;
          two |= static_cast<uint32_t>(code[b] >> 1) << b;
        }
        weak[w] = one;
        strong[w] = two;
      });
      g.sync();
    }
  }

 private:
  /// Codes of n pixels: 1 for what may be an edge, 3 for what is one, else 0.
  template <class Group>
  MT_HD void classify(Group& g, int y, int begin, int n, uint8_t* codes) const {
    const uint16_t *a = from.row(y - 1) + begin, *b = from.row(y) + begin,
                   *c = from.row(y + 1) + begin;
    g.for_each(n, [=](int x) {
      // All are read, whichever count: that vectorises.
      const uint16_t upper_left = a[x - 1], upper = a[x], upper_right = a[x + 1], left = b[x - 1],
                     middle = b[x], right = b[x + 1], lower_left = c[x - 1], lower = c[x],
                     lower_right = c[x + 1];
      const uint16_t direction = middle & 3, here = middle >> 2;
      const uint16_t before = direction == SlopePlane::kAcross    ? left
                              : direction == SlopePlane::kDown    ? upper
                              : direction == SlopePlane::kFalling ? upper_left
                                                                  : upper_right;
      const uint16_t after = direction == SlopePlane::kAcross    ? right
                             : direction == SlopePlane::kDown    ? lower
                             : direction == SlopePlane::kFalling ? lower_right
                                                                 : lower_left;
      const uint16_t straight = direction < SlopePlane::kFalling;
      const uint16_t may_be =
          (here > kMayBeEdge) & (here > before >> 2) & (here + straight > after >> 2);
      codes[x] = static_cast<uint8_t>(may_be * (here > kIsEdge ? 3 : 1));
    });
  }
};

}  // namespace mt
