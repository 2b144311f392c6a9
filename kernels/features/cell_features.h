// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The 191 features of a cell as mosaicraft, the reference, defines them, in fixed point: 75 means
/// of L, a, b over 5 x 5 squares; 36 bins of their histograms (3 x 12); 40 of gradient directions
/// (4 quadrants and the whole cell, 8 bins); 40 of local binary patterns (4 quadrants, 10 bins). A
/// feature is the reference's value times kFeatureScale; feature_slot() says where it is stored.
#pragma once

#include <math.h>

#include "kernels/features/cell_stats.h"
#include "kernels/math/border.h"
#include "kernels/math/histogram.h"
#include "kernels/math/lab.h"
#include "kernels/math/sum_columns.h"

namespace mt {

inline constexpr int kSquares = 5;
inline constexpr int kColourBins = 12;
inline constexpr int kDirections = 8;
inline constexpr int kPatternBins = 10;
/// The sum of a histogram of each kind, in the reference's units.
inline constexpr int kColourWeight = 50;
inline constexpr int kGradientWeight = 30;
inline constexpr int kPatternWeight = 20;
/// Index of the first feature of each kind of histogram; the means come first.
inline constexpr int kColourAt = 75;
inline constexpr int kGradientAt = kColourAt + 3 * kColourBins;
inline constexpr int kPatternAt = kGradientAt + 5 * kDirections;
static_assert(kPatternAt + 4 * kPatternBins == kFeatures);

/// The largest side of a cell, pixels.
inline constexpr int kMostSide = 256;

/// Fractional bits of a gradient's magnitude, which is at most 1443 (Sobel operator, 8 bits).
inline constexpr int kMagnitudeBits = 8;

/// A feature in full precision: it and its residual, times 2^kFineBits.
static MT_HD inline int32_t fine_feature(int16_t feature, int16_t residual) {
  return feature * ((1 << kFineBits) / kFeatureScale) + residual;
}

/// Where the features of a cell are written.
struct FeatureOut {
  int16_t* features;   ///< [kFeatureStride], times kFeatureScale
  int16_t* residuals;  ///< [kFeatureStride]: what was lost to rounding, times 2^kFineBits

  /// Writes feature i = weight * part / total, or 0 if total is 0. part, total <= 2^35; weight
  /// <= 50.
  MT_HD void put(int i, int64_t part, int64_t total, int weight) const {
    const int64_t scaled = part * weight << kFineBits;
    const int64_t whole = total ? scaled / total : 0, rest = scaled - whole * total;
    // Both are rounded to nearest. For the feature, the bits that `whole` lacks make no difference.
    constexpr int32_t kStep = (1 << kFineBits) / kFeatureScale;
    const auto fine = static_cast<int32_t>(whole + (total && 2 * rest >= total));
    const int32_t feature = (static_cast<int32_t>(whole) + kStep / 2) / kStep;
    const int slot = feature_slot(i);
    features[slot] = static_cast<int16_t>(feature);
    residuals[slot] = static_cast<int16_t>(fine - feature * kStep);
  }
};

/// The bin, 0..7, of a gradient's direction: the eighth of a full turn that contains arctan2(y, x),
/// counted from -pi, as numpy.histogram assigns it in single precision. The lower edge of a bin
/// belongs to it, except that of 45 degrees, whose arctangent comes out just below the edge where
/// NumPy uses AVX-512; +pi belongs to the last bin.
///
/// Without branches or comparisons: a sign is a mask, 0 or -1. |x|, |y| <= 1020.
static MT_HD inline int16_t direction(int16_t x, int16_t y) {
  const auto sign = [](int v) { return static_cast<int16_t>(static_cast<int16_t>(v) >> 15); };
  const int16_t left = sign(x), right = sign(-x), down = sign(y);
  const auto ax = static_cast<int16_t>((x ^ left) - left);
  const auto ay = static_cast<int16_t>((y ^ down) - down);
  const int16_t steep = sign(ax - ay), flat = sign(ay - ax);
  // Upper half plane: right 4 [0, 45] or 5 (45, 90), else 6 [90, 135) or 7 [135, 180].
  const auto upper = static_cast<int16_t>(7 + steep - (right & (3 + 2 * steep)));
  // Lower half plane: left 0 (-180, -135) or 1 [-135, -90), else 2 [-90, -45) or 3 [-45, 0).
  const auto lower = static_cast<int16_t>(3 + steep - (left & (2 + steep - flat)));
  return static_cast<int16_t>(upper ^ (down & (upper ^ lower)));
}

/// Pixels that are processed together, so that what is known about each fits into the shared
/// memory.
inline constexpr int kStripPixels = 4096;

/// What the functions below know about the pixels of a strip, in shared memory.
struct StripScratch {
  uint8_t* codes;    ///< [kStripPixels]: bins
  uint8_t* columns;  ///< [kStripPixels]: what the column of a pixel adds to its bin
  int32_t* values;   ///< [kStripPixels]: sums of columns, or the gradient's magnitude

  static constexpr int kShared =
      2 * shared_block<uint8_t>(kStripPixels) + shared_block<int32_t>(kStripPixels);
  template <class Group>
  explicit MT_HD StripScratch(Group& g)
      : codes(g.template shared<uint8_t>(kStripPixels)),
        columns(g.template shared<uint8_t>(kStripPixels)),
        values(g.template shared<int32_t>(kStripPixels)) {}
};

/// Means over the 5 x 5 squares of side / 5 pixels; the pixels left over at the right and lower
/// edge do not count.
/// @param lab [3][side][side]
template <class Group>
static MT_HD void square_means(Group& g, const uint8_t* lab, int side, const StripScratch& scratch,
                               FeatureOut out) {
  constexpr int kLines = 3 * kSquares;  // of squares, in all channels
  static_assert(kLines * kMostSide <= kStripPixels);
  const int size = side / kSquares, width = kSquares * size;
  uint16_t* columns = g.template shared<uint16_t>(kLines * kMostSide);
  for (int i = 0; i < kLines; ++i)
    sum_columns(g, lab + (i / kSquares * side + i % kSquares * size) * side, side, size, width,
                columns + i * width);
  g.sync();
  // Of each line's columns the sums up to each: a loop that compilers do not vectorise, which would
  // not pay for so few.
  int32_t* sums = scratch.values;
  g.for_each(kLines, [=](int i) {
    int32_t sum = 0;
    for (int x = i * width; x < (i + 1) * width; ++x) sums[x] = sum += columns[x];
  });
  g.sync();
  g.for_each(kColourAt, [=](int i) {
    const int square = i / 3, channel = i % 3;
    const int first = (channel * kSquares + square / kSquares) * width + square % kSquares * size;
    const int32_t before = square % kSquares ? sums[first - 1] : 0;
    out.put(i, sums[first + size - 1] - before, size * size, 1);
  });
  g.sync();
}

template <class Group>
static MT_HD void colour_histograms(Group& g, const uint8_t* lab, int side,
                                    const StripScratch& scratch, FeatureOut out) {
  const int pixels = side * side;
  uint8_t* codes = scratch.codes;
  for (int channel = 0; channel < 3; ++channel) {
    int32_t* counts = empty_histogram<int32_t>(g, kColourBins);
    for (int begin = 0; begin < pixels; begin += kStripPixels) {
      const int n = pixels - begin < kStripPixels ? pixels - begin : kStripPixels;
      const uint8_t* in = lab + channel * pixels + begin;
      g.for_each(n, [=](int i) {
        // 12 bins over 0..255, each of 21.25: the level times 4 / 85. The last one contains 255.
        const auto bin = static_cast<uint16_t>(in[i] * 3085u >> 16);
        codes[i] = static_cast<uint8_t>(bin < kColourBins ? bin : kColourBins - 1);
      });
      g.sync();
      count_codes(g, codes, n, kColourBins, counts);
      g.sync();
    }
    g.for_each(kColourBins, [=](int i) {
      out.put(kColourAt + channel * kColourBins + i, counts[i], pixels, kColourWeight);
    });
  }
}

/// What the columns to the right of a quadrant's add to the bin of a pixel that does not count.
inline constexpr int kNoBin = 128;

/// For each pixel of `rows` rows what its column adds to its bin: nothing in the left half of the
/// columns, `bins` in the right half, 2 * bins in the last column of an odd number, and kNoBin
/// after that. @param to [rows][pitch], written
template <class Group>
static MT_HD void column_bins(Group& g, int rows, int pitch, int columns, int bins, uint8_t* to) {
  const int half = columns / 2;
  g.for_each(rows, pitch, [=](int y, int x) {
    to[y * pitch + x] =
        static_cast<uint8_t>((x >= half) * bins + (x >= 2 * half) * bins + (x >= columns) * kNoBin);
  });
}

/// Calls f(half, first, count) for strips of at most `most` rows: of the upper half of the rows,
/// then of the lower half, then half 2 for the last row of an odd number.
template <class F>
static MT_HD void for_each_strip(int rows, int most, F f) {
  int first = 0;
  for (int half = 0; half < 3; ++half) {
    const int end = half < 2 ? (half + 1) * (rows / 2) : rows;
    while (first < end) {
      const int count = end - first < most ? end - first : most;
      f(half, first, count);
      first += count;
    }
  }
}

/// Gradients by the Sobel operator.
/// @param light      [rows + 2][pitch], beginning with the row above the first
/// @param n          number of pixels; the last of each row of `pitch` are without meaning
/// @param scratch    values (magnitudes times 2^kMagnitudeBits) and codes are written
template <class Group>
static MT_HD void sobel(Group& g, const uint8_t* light, int pitch, int n,
                        const StripScratch& scratch) {
  int32_t* magnitude = scratch.values;
  uint8_t* codes = scratch.codes;
  const uint8_t* columns = scratch.columns;
  g.for_each(n, [=](int i) {
    const uint8_t* p = light + i;  // upper left of the 3 x 3
    const auto gx = static_cast<int16_t>((p[2] - p[0]) + 2 * (p[pitch + 2] - p[pitch]) +
                                         (p[2 * pitch + 2] - p[2 * pitch]));
    const auto gy = static_cast<int16_t>((p[2 * pitch] - p[0]) + 2 * (p[2 * pitch + 1] - p[1]) +
                                         (p[2 * pitch + 2] - p[2]));
    constexpr float kScale = 1 << kMagnitudeBits;
    const float length = sqrtf(static_cast<float>(gx * gx + gy * gy));
    magnitude[i] = static_cast<int32_t>(length * kScale + 0.5f);
    codes[i] = static_cast<uint8_t>(columns[i] + direction(gx, gy));
  });
}

/// Histograms of the gradient's direction, weighted by magnitude.
/// @param light  L, [side + 2][side + 2], reflected at its border
template <class Group>
static MT_HD void gradient_histograms(Group& g, const uint8_t* light, int side,
                                      const StripScratch& scratch, FeatureOut out) {
  const int pitch = side + 2, most = kStripPixels / pitch;
  const int parts = 2 + side % 2, bins = parts * kDirections;
  // [half of the rows][half of the columns][direction]; with an odd side there is a third "half".
  int64_t* const sums[3] = {empty_histogram<int64_t>(g, bins), empty_histogram<int64_t>(g, bins),
                            empty_histogram<int64_t>(g, bins)};
  column_bins(g, most < side / 2 ? most : side / 2, pitch, side, kDirections, scratch.columns);
  g.sync();
  for_each_strip(side, most, [=, &g](int half, int first, int rows) {
    const int n = rows * pitch - 2;  // there is no pixel to the right of these
    sobel(g, light + first * pitch, pitch, n, scratch);
    g.sync();
    sum_by_code(g, scratch.codes, scratch.values, n, bins, sums[half]);
    g.sync();
  });
  int64_t* blocks = g.template shared<int64_t>(5 * kDirections);
  g.for_each(5 * kDirections, [=](int i) {
    const int block = i / kDirections, direction = i % kDirections;
    int64_t sum = 0;
    for (int y = 0; y < parts; ++y)
      for (int x = 0; x < parts; ++x)
        if (block == 4 || (x < 2 && block == 2 * y + x))
          sum += sums[y][x * kDirections + direction];
    blocks[i] = sum;
  });
  g.sync();
  g.for_each(5 * kDirections, [=](int i) {
    const int64_t* block = blocks + i / kDirections * kDirections;
    int64_t total = 0;
    for (int d = 0; d < kDirections; ++d) total += block[d];
    out.put(kGradientAt + i, blocks[i], total, kGradientWeight);
  });
}

/// Histograms of local binary patterns with 8 neighbours (Ojala et al. 1996).
/// @param light  L, [side + 2][side + 2]
template <class Group>
static MT_HD void pattern_histograms(Group& g, const uint8_t* light, int side,
                                     const StripScratch& scratch, FeatureOut out) {
  const int pitch = side + 2, inner = side - 2, half = inner / 2, most = kStripPixels / pitch;
  int32_t* const counts[2] = {empty_histogram<int32_t>(g, 2 * kPatternBins),
                              empty_histogram<int32_t>(g, 2 * kPatternBins)};
  uint8_t *codes = scratch.codes, *columns = scratch.columns;
  column_bins(g, most < half ? most : half, pitch, inner, kPatternBins, columns);
  g.sync();
  for_each_strip(2 * half, most, [=, &g](int part, int first, int rows) {
    const int n = rows * pitch;
    const uint8_t* middle = light + (first + 2) * pitch + 2;
    g.for_each(n, [=](int i) {
      const uint8_t* c = middle + i;
      const uint8_t v = *c;
      const auto pattern = static_cast<uint16_t>((c[-pitch - 1] >= v) | (c[-pitch] >= v) << 1 |
                                                 (c[-pitch + 1] >= v) << 2 | (c[1] >= v) << 3 |
                                                 (c[pitch + 1] >= v) << 4 | (c[pitch] >= v) << 5 |
                                                 (c[pitch - 1] >= v) << 6 | (c[-1] >= v) << 7);
      codes[i] = static_cast<uint8_t>(columns[i] + (pattern * kPatternBins >> 8));
    });
    g.sync();
    count_codes(g, codes, n, 2 * kPatternBins, counts[part]);
    g.sync();
  });
  g.for_each(4 * kPatternBins, [=](int i) {
    const int count = counts[i / (2 * kPatternBins)][i % (2 * kPatternBins)];
    out.put(kPatternAt + i, count, half * half, kPatternWeight);
  });
}

/// Shared memory of the functions above, bytes.
inline constexpr int kFeaturesShared =
    StripScratch::kShared + shared_block<uint16_t>(3 * kSquares * kMostSide) +
    3 * shared_block<int32_t>(kColourBins) + 3 * shared_block<int64_t>(3 * kDirections) +
    shared_block<int64_t>(5 * kDirections) + 2 * shared_block<int32_t>(2 * kPatternBins);

}  // namespace mt
