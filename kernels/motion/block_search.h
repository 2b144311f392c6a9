// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/group.h"
#include "kernels/kernel_list.h"
#include "kernels/motion/cell_samples.h"

namespace mt {

/// Units of motion per side of a cell: 16 per sample.
inline constexpr int kMotionUnit = 16 * kCellSamples;

/// How a cell's content moved since the previous frame.
struct CellMotion {
  int32_t x, y;        ///< to the right and down, in 1 / kMotionUnit cells
  int32_t confidence;  ///< 1..255; 0: nothing is known, and x and y are 0
};

/// Searches the previous frame for the content of each cell with a margin around it: by the least
/// sum of absolute differences, first at half the size, then at full size around the best offset,
/// then between samples by the gradient method of Lucas and Kanade (1981). Index: cell.
struct BlockSearch {
  static constexpr KernelId kId = KernelId::kBlockSearch;
  static constexpr int kMargin = 2;  ///< samples around a cell that are compared, too
  static constexpr int kBlock = kCellSamples + 2 * kMargin;  ///< even
  static constexpr int kArea = kBlock * kBlock;
  static constexpr int kMaxCoarseOffset = 12;              ///< of the first search, samples; even
  static constexpr int kMaxOffset = kMaxCoarseOffset + 1;  ///< of the second search
  static constexpr int kWindowMargin = kMaxOffset + 1;     ///< one sample more, for gradients
  static constexpr int kWindow = kBlock + 2 * kWindowMargin;
  /// Offsets of the first search, in each dimension.
  static constexpr int kSteps = kMaxCoarseOffset + 1;
  static constexpr int kHalfBlock = kBlock / 2;
  static constexpr int kHalfWindow = kHalfBlock + kMaxCoarseOffset;
  static constexpr int kShared = shared_block<uint8_t>(kArea) +
                                 shared_block<uint8_t>(kWindow * kWindow) +
                                 shared_block<uint8_t>(kHalfBlock * kHalfBlock) +
                                 shared_block<uint8_t>(kHalfWindow * kHalfWindow) +
                                 shared_block<int32_t>(kSteps * kSteps) + shared_block<int32_t>(9);
  /// Mean difference over a block, in levels, that noise alone may cause.
  static constexpr int kNoise = 1;
  /// Regularises the offset between samples: a gradient of 4 levels per sample halves it, a smaller
  /// gradient reduces it further.
  static constexpr int64_t kRegularisation = 4 * 4 * 4 * kArea;
  static constexpr int kMaxFraction = 14;    ///< largest offset between samples, in 1/16
  static constexpr int kMinConfidence = 48;  ///< motion with less confidence is reported as unknown

  const uint8_t *now, *last;  ///< [rows * kCellSamples][columns * kCellSamples]: this frame and the
                              ///< previous one
  int32_t columns, rows;      ///< cells
  CellMotion* motion;         ///< [cells], written

  template <class Group>
  MT_HD void operator()(Group& g, int cell) const {
    uint8_t* block = g.template shared<uint8_t>(kArea);
    uint8_t* window = g.template shared<uint8_t>(kWindow * kWindow);
    const int left = cell % columns * kCellSamples - kMargin;
    const int top = cell / columns * kCellSamples - kMargin;
    fetch(g, now, left, top, kBlock, block);
    fetch(g, last, left - kWindowMargin, top - kWindowMargin, kWindow, window);
    g.sync();
    int64_t still_difference = 0;
    g.for_each(kBlock, kBlock, [=, &still_difference](int y, int x) {
      still_difference += distance(block[y * kBlock + x],
                                   window[(y + kWindowMargin) * kWindow + x + kWindowMargin]);
    });
    still_difference = g.sum(still_difference);
    CellMotion* out = motion + cell;
    if (still_difference <= kNoise * kArea) {
      g.for_each(1, [=](int) { *out = {0, 0, 0}; });
      return;
    }
    int64_t all;
    const Found rough = search_halved(g, block, window, &all);
    Found found = search_around(g, block, window, rough);
    // No motion, unless an offset is better by more than noise.
    if (found.difference + kNoise * kArea + still_difference / 8 > still_difference)
      found = {0, 0, still_difference};
    const Gradients gradients = gradients_at(g, block, window, found);
    g.for_each(1, [=](int) {
      const int64_t beside_mean = 255 - share(kSteps * kSteps * found.difference, 4 * all);
      const int64_t beside_still =
          found.x || found.y ? 255 - share(found.difference, still_difference) : int64_t{255};
      const int64_t confidence = beside_mean < beside_still ? beside_mean : beside_still;
      *out = {0, 0, 0};
      if (confidence < kMinConfidence) return;
      *out = {-16 * found.x - gradients.between_x(), -16 * found.y - gradients.between_y(),
              static_cast<int32_t>(confidence)};
    });
  }

 private:
  /// Offset in the previous frame, samples, and the sum of absolute differences there.
  struct Found {
    int32_t x, y;
    int64_t difference;
  };

  /// Sums over a block of products of twice the gradients in x and y: with each other, and with the
  /// remaining difference (x, y).
  struct Gradients {
    int64_t xx, xy, yy, x, y;

    /// The offset beyond whole samples, in 1/16, by least squares (Lucas and Kanade 1981), reduced
    /// towards 0 where gradients are small.
    MT_HD int32_t between_x() const { return between((yy + kRegularisation) * x - xy * y); }
    MT_HD int32_t between_y() const { return between((xx + kRegularisation) * y - xy * x); }

   private:
    MT_HD int32_t between(int64_t numerator) const {
      // Sums are below 2^26, so that products are below 2^53.
      const int64_t parts =
          2 * 16 * numerator / ((xx + kRegularisation) * (yy + kRegularisation) - xy * xy);
      return static_cast<int32_t>(parts < -kMaxFraction  ? -kMaxFraction
                                  : parts > kMaxFraction ? kMaxFraction
                                                         : parts);
    }
  };

  static MT_HD int32_t distance(int a, int b) { return a > b ? a - b : b - a; }

  /// 255 part / whole, at most 255.
  static MT_HD int64_t share(int64_t part, int64_t whole) {
    return part >= whole ? 255 : 255 * part / whole;
  }

  /// Orders offsets by difference, then length, then index: the upper before the lower one, the
  /// left before the right one.
  static MT_HD uint64_t key(int32_t difference, int x, int y, int index) {
    return static_cast<uint64_t>(difference) << 32 | static_cast<uint64_t>(x * x + y * y) << 16 |
           static_cast<uint64_t>(index);
  }

  /// Copies a square of samples; outside of the picture its edge samples repeat.
  template <class Group>
  MT_HD void fetch(Group& g, const uint8_t* from, int left, int top, int side, uint8_t* to) const {
    const int width = columns * kCellSamples, height = rows * kCellSamples;
    g.for_each(side, side, [=](int y, int x) {
      const int v = top + y, u = left + x;
      const int64_t in_row = v < 0 ? 0 : v < height ? v : height - 1;
      to[y * side + x] = from[in_row * width + (u < 0 ? 0 : u < width ? u : width - 1)];
    });
  }

  /// Halves the size by means of 2 x 2 samples.
  template <class Group>
  static MT_HD void halve(Group& g, const uint8_t* in, int pitch, int side, uint8_t* out) {
    g.for_each(side, side, [=](int y, int x) {
      const uint8_t* at = in + 2 * y * pitch + 2 * x;
      out[y * side + x] =
          static_cast<uint8_t>((at[0] + at[1] + at[pitch] + at[pitch + 1] + 2) >> 2);
    });
  }

  /// The best of the even offsets, compared at half the size.
  /// @param sum  the sum of the differences of all offsets at that size, written
  template <class Group>
  static MT_HD Found search_halved(Group& g, const uint8_t* block, const uint8_t* window,
                                   int64_t* sum) {
    uint8_t* small = g.template shared<uint8_t>(kHalfBlock * kHalfBlock);
    uint8_t* around = g.template shared<uint8_t>(kHalfWindow * kHalfWindow);
    int32_t* differences = g.template shared<int32_t>(kSteps * kSteps);
    halve(g, block, kBlock, kHalfBlock, small);
    halve(g, window + (kWindowMargin - kMaxCoarseOffset) * (kWindow + 1), kWindow, kHalfWindow,
          around);
    g.sync();
    g.for_each(kSteps, kSteps, [=](int dy, int dx) {
      int32_t difference = 0;
      for (int y = 0; y < kHalfBlock; ++y)
        for (int x = 0; x < kHalfBlock; ++x)
          difference +=
              distance(small[y * kHalfBlock + x], around[(y + dy) * kHalfWindow + x + dx]);
      differences[dy * kSteps + dx] = difference;
    });
    g.sync();
    int64_t mine = 0;
    uint64_t best = UINT64_MAX;
    g.for_each(kSteps * kSteps, [=, &mine, &best](int i) {
      const int x = i % kSteps - kMaxCoarseOffset / 2, y = i / kSteps - kMaxCoarseOffset / 2;
      const uint64_t candidate = key(differences[i], x, y, i);
      mine += differences[i];
      if (candidate < best) best = candidate;
    });
    *sum = g.sum(mine);
    const int index = static_cast<int>(g.min(best) & 0xffff);
    return {2 * (index % kSteps) - kMaxCoarseOffset, 2 * (index / kSteps) - kMaxCoarseOffset, 0};
  }

  /// The best of an offset and the eight around it.
  template <class Group>
  static MT_HD Found search_around(Group& g, const uint8_t* block, const uint8_t* window,
                                   const Found& at) {
    int32_t* differences = g.template shared<int32_t>(9);
    g.for_each(9, [=](int i) { differences[i] = 0; });
    g.sync();
    g.for_each(9, kBlock, [=, &g](int i, int y) {
      const uint8_t* in = window + (y + kWindowMargin + at.y + i / 3 - 1) * kWindow +
                          kWindowMargin + at.x + i % 3 - 1;
      int32_t difference = 0;
      for (int x = 0; x < kBlock; ++x) difference += distance(block[y * kBlock + x], in[x]);
      g.add(differences[i], difference);
    });
    g.sync();
    uint64_t best = UINT64_MAX;
    g.for_each(9, [=, &best](int i) {
      const uint64_t candidate = key(differences[i], at.x + i % 3 - 1, at.y + i / 3 - 1, i);
      if (candidate < best) best = candidate;
    });
    best = g.min(best);
    const int index = static_cast<int>(best & 0xffff);
    return {at.x + index % 3 - 1, at.y + index / 3 - 1, static_cast<int64_t>(best >> 32)};
  }

  template <class Group>
  static MT_HD Gradients gradients_at(Group& g, const uint8_t* block, const uint8_t* window,
                                      const Found& at) {
    const uint8_t* in = window + (kWindowMargin + at.y) * kWindow + kWindowMargin + at.x;
    int64_t xx = 0, xy = 0, yy = 0, x_rest = 0, y_rest = 0;
    g.for_each(kBlock, kBlock, [=, &xx, &xy, &yy, &x_rest, &y_rest](int y, int x) {
      const uint8_t* p = in + y * kWindow + x;
      const int32_t dx = p[1] - p[-1], dy = p[kWindow] - p[-kWindow];
      const int32_t rest = block[y * kBlock + x] - p[0];
      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
      x_rest += dx * rest;
      y_rest += dy * rest;
    });
    return {g.sum(xx), g.sum(xy), g.sum(yy), g.sum(x_rest), g.sum(y_rest)};
  }
};

}  // namespace mt
