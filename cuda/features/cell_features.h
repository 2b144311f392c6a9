// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The 191 features of a cell as mosaicraft, the reference, defines them, in fixed point: 75 means
/// of L, a, b over 5 x 5 squares; 36 bins of their histograms (3 x 12); 40 of gradient directions
/// (4 quadrants and the whole cell, 8 bins); 40 of local binary patterns (4 quadrants, 10 bins). A
/// feature is the reference's value times kFeatureScale; feature_slot() says where it is stored.
#pragma once

#include <math.h>

#include "cuda/features/cell_stats.h"
#include "cuda/math/border.h"
#include "cuda/math/lab.h"

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
    const auto rounded = [=](int64_t scale) {
      return total ? (part * weight * scale + total / 2) / total : 0;
    };
    const int slot = feature_slot(i);
    const int64_t feature = rounded(kFeatureScale);
    features[slot] = static_cast<int16_t>(feature);
    residuals[slot] = static_cast<int16_t>(rounded(1 << kFineBits) -
                                           feature * ((1 << kFineBits) / kFeatureScale));
  }
};

/// The bin, 0..7, of a gradient's direction: the eighth of a full turn that contains arctan2(y, x),
/// counted from -pi, as numpy.histogram assigns it in single precision. The lower edge of a bin
/// belongs to it, except that of 45 degrees, whose arctangent comes out just below the edge where
/// NumPy uses AVX-512; +pi belongs to the last bin.
///
/// Comparisons are used as numbers, 0 or 1, so that there is no branch.
static MT_HD inline int32_t direction(int32_t x, int32_t y) {
  const int32_t ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
  const int32_t steep = ay > ax, diagonal = ay == ax, right = x > 0, left = x < 0, down = y < 0;
  // Upper half plane: right 4 [0, 45] or 5 (45, 90), else 6 [90, 135) or 7 [135, 180].
  const int32_t upper = 7 - steep + right * (2 * steep - 3);
  // Lower half plane: left 0 (-180, -135) or 1 [-135, -90), else 2 [-90, -45) or 3 [-45, 0).
  const int32_t lower = 3 - steep + left * (2 * steep + diagonal - 3);
  return upper + down * (lower - upper);
}

/// Means over the 5 x 5 squares of side / 5 pixels; the pixels left over at the right and lower
/// edge do not count.
/// @param lab [3][side][side]
template <class Group>
static MT_HD void square_means(Group& g, const uint8_t* lab, int side, FeatureOut out) {
  const int size = side / kSquares;
  g.for_each(kColourAt, [=](int i) {
    const int square = i / 3, channel = i % 3;
    const uint8_t* corner =
        lab + channel * side * side + square / kSquares * size * side + square % kSquares * size;
    int32_t sum = 0;
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) sum += corner[y * side + x];
    out.put(i, sum, size * size, 1);
  });
}

/// Copies of each histogram, summed at the end. Neighbouring pixels, which mostly have the same
/// bin, count in different copies, because an addition has to wait for the one before to the same
/// address.
inline constexpr int kCopies = 4;

/// Pixels that are processed together, so that their codes fit into the shared memory.
inline constexpr int kStripPixels = 4096;

/// Shared memory of a Histogram, bytes.
template <class T>
static MT_HD constexpr int histogram_shared(int bins) {
  return shared_block<T>(kCopies * bins + 1);
}

/// A histogram in shared memory. Callers first compute a code of one byte for each pixel, in a loop
/// that is vectorised, and then count the codes.
template <class Group, class T, int kBins>
class Histogram {
 public:
  static_assert(kCopies * kBins < 256);
  static constexpr int kNowhere = kCopies * kBins;  ///< code of pixels that do not count

  explicit MT_HD Histogram(Group& g) : g_(g), bins_(g.template shared<T>(kNowhere + 1)) {
    T* bins = bins_;
    g.for_each(kNowhere + 1, [=](int i) { bins[i] = 0; });
    g.sync();
  }
  /// The code of bin 0..kBins-1 for pixel x of a row.
  static MT_HD int32_t code(int32_t bin, int x) { return x % kCopies * kBins + bin; }

  MT_HD void count(const uint8_t* codes, int n) {
    Group& g = g_;
    T* bins = bins_;
    g.for_each(n, [=, &g](int i) { g.add(bins[codes[i]], T{1}); });
  }
  MT_HD void weigh(const uint8_t* codes, const int32_t* weights, int n) {
    Group& g = g_;
    T* bins = bins_;
    g.for_each(n, [=, &g](int i) { g.add(bins[codes[i]], T{weights[i]}); });
  }
  /// To be read after a sync.
  MT_HD const T* bins() const { return bins_; }
  /// The sum of bin i over the copies.
  static MT_HD int64_t total(const T* bins, int i) {
    int64_t sum = 0;
    for (int c = 0; c < kCopies; ++c) sum += bins[c * kBins + i];
    return sum;
  }

 private:
  Group& g_;
  T* bins_;
};

template <class Group>
static MT_HD void colour_histograms(Group& g, const uint8_t* lab, int side, FeatureOut out) {
  constexpr int kBins = 3 * kColourBins;
  using Counts = Histogram<Group, int32_t, kBins>;
  Counts counts(g);
  uint8_t* codes = g.template shared<uint8_t>(kStripPixels);
  const int pixels = side * side;
  for (int channel = 0; channel < 3; ++channel) {
    for (int begin = 0; begin < pixels; begin += kStripPixels) {
      const int n = pixels - begin < kStripPixels ? pixels - begin : kStripPixels;
      const uint8_t* in = lab + channel * pixels + begin;
      const int32_t base = channel * kColourBins;
      g.for_each(n, [=](int i) {
        const int32_t bin = in[i] * 4 / 85;  // 12 bins over 0..255: 21.25 a bin, 255 in the last
        const int32_t held = bin < kColourBins ? bin : kColourBins - 1;
        codes[i] = static_cast<uint8_t>(Counts::code(base + held, i));
      });
      g.sync();
      counts.count(codes, n);
      g.sync();
    }
  }
  const int32_t* bins = counts.bins();
  g.for_each(kBins,
             [=](int i) { out.put(kColourAt + i, Counts::total(bins, i), pixels, kColourWeight); });
}

template <class Group>
using GradientSums = Histogram<Group, int64_t, 5 * kDirections>;

/// Gradients of some rows of a cell by the Sobel operator.
/// @param light      [rows + 2][side + 2], beginning with the row above the first
/// @param first      index of the first row in the cell
/// @param magnitude  [rows][side], times 2^kMagnitudeBits, written
/// @param codes      [rows][side], written: quadrant and direction. The last row and column of an
///                   odd side are in no quadrant and get the code 4 for it.
template <class Group>
static MT_HD void sobel(Group& g, const uint8_t* light, int side, int first, int rows,
                        int32_t* magnitude, uint8_t* codes) {
  const int pitch = side + 2, half = side / 2;
  g.for_each(rows, side, [=](int y, int x) {
    const uint8_t* p = light + y * pitch + x;  // upper left of the 3 x 3
    const int32_t gx =
        (p[2] - p[0]) + 2 * (p[pitch + 2] - p[pitch]) + (p[2 * pitch + 2] - p[2 * pitch]);
    const int32_t gy =
        (p[2 * pitch] - p[0]) + 2 * (p[2 * pitch + 1] - p[1]) + (p[2 * pitch + 2] - p[2]);
    constexpr float kScale = 1 << kMagnitudeBits;
    const float length = sqrtf(static_cast<float>(gx * gx + gy * gy));
    magnitude[y * side + x] = static_cast<int32_t>(length * kScale + 0.5f);
    const int32_t lower = first + y >= half, right = x >= half;
    const int32_t over = (first + y >= 2 * half) | (x >= 2 * half);
    const int32_t quadrant = over ? 4 : 2 * lower + right;
    codes[y * side + x] = static_cast<uint8_t>(
        GradientSums<Group>::code(quadrant * kDirections + direction(gx, gy), x));
  });
}

/// Histograms of the gradient's direction, weighted by magnitude.
/// @param light  L, [side + 2][side + 2], reflected at its border
template <class Group>
static MT_HD void gradient_histograms(Group& g, const uint8_t* light, int side, FeatureOut out) {
  GradientSums<Group> sums(g);
  int32_t* magnitude = g.template shared<int32_t>(kStripPixels);
  uint8_t* codes = g.template shared<uint8_t>(kStripPixels);
  const int strip = kStripPixels / side;
  for (int top = 0; top < side; top += strip) {
    const int rows = top + strip < side ? strip : side - top;
    sobel(g, light + top * (side + 2), side, top, rows, magnitude, codes);
    g.sync();
    sums.weigh(codes, magnitude, rows * side);
    g.sync();
  }
  const int64_t* bins = sums.bins();
  g.for_each(5 * kDirections, [=](int i) {
    const int block = i / kDirections, bin = i % kDirections;
    int64_t part = 0, total = 0;
    for (int b = 0; b < 5; ++b) {
      if (block < 4 && b != block) continue;  // the fifth histogram is of the whole cell
      part += GradientSums<Group>::total(bins, b * kDirections + bin);
      for (int d = 0; d < kDirections; ++d)
        total += GradientSums<Group>::total(bins, b * kDirections + d);
    }
    out.put(kGradientAt + i, part, total, kGradientWeight);
  });
}

/// Histograms of local binary patterns with 8 neighbours (Ojala et al. 1996).
/// @param light  L, [side + 2][side + 2]
template <class Group>
static MT_HD void pattern_histograms(Group& g, const uint8_t* light, int side, FeatureOut out) {
  constexpr int kBins = 4 * kPatternBins;
  using Counts = Histogram<Group, int32_t, kBins>;
  Counts counts(g);
  uint8_t* codes = g.template shared<uint8_t>(kStripPixels);
  const int pitch = side + 2, inner = side - 2, half = inner / 2;
  const int strip = kStripPixels / side;
  for (int top = 0; top < inner; top += strip) {
    const int rows = top + strip < inner ? strip : inner - top;
    g.for_each(rows, inner, [=](int y, int x) {
      const uint8_t* c = light + (top + y + 2) * pitch + x + 2;
      const uint8_t v = *c;
      const int32_t pattern = (c[-pitch - 1] >= v) | (c[-pitch] >= v) << 1 |
                              (c[-pitch + 1] >= v) << 2 | (c[1] >= v) << 3 |
                              (c[pitch + 1] >= v) << 4 | (c[pitch] >= v) << 5 |
                              (c[pitch - 1] >= v) << 6 | (c[-1] >= v) << 7;
      const int32_t quadrant = 2 * (top + y >= half) + (x >= half);
      const int32_t code = Counts::code(quadrant * kPatternBins + pattern * kPatternBins / 256, x);
      const bool over = (top + y >= 2 * half) | (x >= 2 * half);
      codes[y * inner + x] = static_cast<uint8_t>(over ? Counts::kNowhere : code);
    });
    g.sync();
    counts.count(codes, rows * inner);
    g.sync();
  }
  const int32_t* bins = counts.bins();
  g.for_each(kBins, [=](int i) {
    out.put(kPatternAt + i, Counts::total(bins, i), half * half, kPatternWeight);
  });
}

/// Shared memory of the three functions above, bytes: a histogram and codes for each, and the
/// gradients' magnitudes.
inline constexpr int kHistogramsShared =
    histogram_shared<int32_t>(3 * kColourBins) + histogram_shared<int64_t>(5 * kDirections) +
    histogram_shared<int32_t>(4 * kPatternBins) + 3 * shared_block<uint8_t>(kStripPixels) +
    shared_block<int32_t>(kStripPixels);

}  // namespace mt
