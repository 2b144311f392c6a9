// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The 191 features of a cell, mosaicraft's, in fixed point: 75 means of L, a, b over 5 x 5 squares;
/// 36 of their histograms (3 x 12 bins); 40 of gradient directions (4 quadrants and the whole, 8
/// bins); 40 of local binary patterns (4 quadrants, 10 bins). Scale is the reference's times
/// kFeatureScale; order in memory is that of feature_slot().
#pragma once

#include "cuda/cell_stats.h"
#include "cuda/lab.h"

namespace mt {

inline constexpr int kFeatureScale = 64;
inline constexpr int kSquares = 5;
inline constexpr int kColourBins = 12;
inline constexpr int kDirections = 8;
inline constexpr int kPatternBins = 10;
/// What a histogram of each kind adds up to, in the reference's units.
inline constexpr int kColourWeight = 50;
inline constexpr int kGradientWeight = 30;
inline constexpr int kPatternWeight = 20;
/// Offsets of the four kinds in a feature vector.
inline constexpr int kColourAt = 75;
inline constexpr int kGradientAt = kColourAt + 3 * kColourBins;
inline constexpr int kPatternAt = kGradientAt + 5 * kDirections;
static_assert(kPatternAt + 4 * kPatternBins == kFeatures);

/// Fractional bits of a gradient's magnitude, at most 1443 for the Sobel operator on 8 bits.
inline constexpr int kMagnitudeBits = 8;

/// part / total of weight, rounded to nearest; 0 of nothing is 0.
static MT_HD inline int16_t share(int64_t part, int64_t total, int weight) {
  return static_cast<int16_t>(total ? (part * weight * kFeatureScale + total / 2) / total : 0);
}

/// The eighth of the full turn that a gradient points to, counted from -pi: numpy.histogram's bins
/// of arctan2(y, x) in single precision. Lower edges are included, but 45 degrees, whose arctangent
/// rounds to just below its edge; +pi is in the last.
static MT_HD inline int32_t direction(int32_t x, int32_t y) {
  const int32_t ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
  // Upper half plane: 4 [0, 45], 5 (45, 90), 6 [90, 135), 7 [135, 180].
  const int32_t upper = x > 0 ? (ay > ax ? 5 : 4) : (ay > ax ? 6 : 7);
  // Lower: 0 (-180, -135), 1 [-135, -90), 2 [-90, -45), 3 [-45, 0).
  const int32_t lower = x < 0 ? (ay >= ax ? 1 : 0) : (ay > ax ? 2 : 3);
  return y < 0 ? lower : x == 0 ? (y == 0 ? 4 : 6) : upper;
}

/// Index with reflection at the edge that does not repeat the edge pixel (OpenCV's default border).
static MT_HD inline int reflect(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }

/// Means over the 5 x 5 squares; what does not fill a square at the right and below is left out.
/// @param lab [3][side][side]
template <class Group>
static MT_HD void square_means(Group& g, const uint8_t* lab, int side, int16_t* features) {
  const int size = side / kSquares;
  g.for_each(kColourAt, [=](int i) {
    const int square = i / 3, channel = i % 3;
    const uint8_t* corner = lab + channel * side * side + square / kSquares * size * side +
                            square % kSquares * size;
    int32_t sum = 0;
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) sum += corner[y * side + x];
    const int32_t n = size * size;
    const int32_t mean = (sum * kFeatureScale + n / 2) / n;
    features[feature_slot(i)] = static_cast<int16_t>(mean);
  });
}

template <class Group>
static MT_HD void colour_histograms(Group& g, const uint8_t* lab, int side, int16_t* features) {
  int32_t* bins = g.template shared<int32_t>(3 * kColourBins);
  const int pixels = side * side;
  g.for_each(3 * kColourBins, [=](int i) { bins[i] = 0; });
  g.sync();
  for (int channel = 0; channel < 3; ++channel) {
    const uint8_t* in = lab + channel * pixels;
    int32_t* out = bins + channel * kColourBins;
    g.for_each(pixels, [&g, in, out](int i) {
      const int32_t bin = in[i] * 4 / 85;  // 12 bins over 0..255: 21.25 a bin, 255 in the last
      g.add(out[bin < kColourBins ? bin : kColourBins - 1], 1);
    });
  }
  g.sync();
  g.for_each(3 * kColourBins, [=](int i) {
    features[feature_slot(kColourAt + i)] = share(bins[i], pixels, kColourWeight);
  });
}

/// Rows of a cell that are looked at together: what fits the shared memory of a group.
inline constexpr int kStripPixels = 4096;

/// Directions of the gradient by magnitude.
/// @param light  L, [side + 2][side + 2], reflected at its border
/// @return pixels on an edge, in this worker's share
template <class Group>
static MT_HD int64_t gradient_histograms(Group& g, const uint8_t* light, int side,
                                         int16_t* features) {
  constexpr int kBlocks = 5;  // four quadrants, and what an odd side leaves over
  constexpr int kEdge = 150;  // Canny's upper threshold in the reference's saliency
  int64_t* bins = g.template shared<int64_t>(kBlocks * kDirections);
  int32_t* magnitude = g.template shared<int32_t>(kStripPixels);
  uint8_t* towards = g.template shared<uint8_t>(kStripPixels);
  g.for_each(kBlocks * kDirections, [=](int i) { bins[i] = 0; });
  const int pitch = side + 2, half = side / 2;
  const int strip = kStripPixels / side;
  int64_t edges = 0;
  for (int top = 0; top < side; top += strip) {
    const int rows = top + strip < side ? strip : side - top;
    int32_t edge_pixels = 0;
    g.for_each(rows, side, [=, &edge_pixels](int y, int x) {
      const uint8_t* p = light + (top + y) * pitch + x;  // upper left of the 3 x 3
      const int32_t gx = (p[2] - p[0]) + 2 * (p[pitch + 2] - p[pitch]) +
                         (p[2 * pitch + 2] - p[2 * pitch]);
      const int32_t gy = (p[2 * pitch] - p[0]) + 2 * (p[2 * pitch + 1] - p[1]) +
                         (p[2 * pitch + 2] - p[2]);
      constexpr float kScale = 1 << kMagnitudeBits;
      const float length = sqrtf(static_cast<float>(gx * gx + gy * gy));
      magnitude[y * side + x] = static_cast<int32_t>(length * kScale + 0.5f);
      towards[y * side + x] = static_cast<uint8_t>(direction(gx, gy));
      edge_pixels += (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy) > kEdge;
    });
    edges += edge_pixels;
    g.sync();
    g.for_each(rows, side, [=, &g](int y, int x) {
      const int row = top + y;
      const bool odd = row >= 2 * half || x >= 2 * half;
      const int block = odd ? 4 : (row >= half) * 2 + (x >= half);
      g.add(bins[block * kDirections + towards[y * side + x]],
            static_cast<int64_t>(magnitude[y * side + x]));
    });
    g.sync();
  }
  g.for_each(5 * kDirections, [=](int i) {
    const int block = i / kDirections, bin = i % kDirections;
    int64_t part = 0, total = 0;
    for (int b = 0; b < kBlocks; ++b) {
      if (block < 4 && b != block) continue;  // the fifth histogram is of the whole cell
      part += bins[b * kDirections + bin];
      for (int d = 0; d < kDirections; ++d) total += bins[b * kDirections + d];
    }
    features[feature_slot(kGradientAt + i)] = share(part, total, kGradientWeight);
  });
  return edges;
}

/// Histograms of 8-neighbour local binary patterns.
/// @param light as above
template <class Group>
static MT_HD void pattern_histograms(Group& g, const uint8_t* light, int side, int16_t* features) {
  int32_t* bins = g.template shared<int32_t>(4 * kPatternBins);
  uint8_t* codes = g.template shared<uint8_t>(kStripPixels);
  g.for_each(4 * kPatternBins, [=](int i) { bins[i] = 0; });
  const int pitch = side + 2, inner = side - 2, half = inner / 2;
  const int strip = kStripPixels / side;
  for (int top = 0; top < inner; top += strip) {
    const int rows = top + strip < inner ? strip : inner - top;
    g.for_each(rows, inner, [=](int y, int x) {
      const uint8_t* c = light + (top + y + 2) * pitch + x + 2;
      const uint8_t v = *c;
      const int32_t code = (c[-pitch - 1] >= v) | (c[-pitch] >= v) << 1 |
                           (c[-pitch + 1] >= v) << 2 | (c[1] >= v) << 3 |
                           (c[pitch + 1] >= v) << 4 | (c[pitch] >= v) << 5 |
                           (c[pitch - 1] >= v) << 6 | (c[-1] >= v) << 7;
      codes[y * inner + x] = static_cast<uint8_t>(code * kPatternBins / 256);
    });
    g.sync();
    g.for_each(rows, inner, [=, &g](int y, int x) {
      const int row = top + y;
      if (row < 2 * half && x < 2 * half)
        g.add(bins[((row >= half) * 2 + (x >= half)) * kPatternBins + codes[y * inner + x]], 1);
    });
    g.sync();
  }
  g.for_each(4 * kPatternBins, [=](int i) {
    features[feature_slot(kPatternAt + i)] = share(bins[i], half * half, kPatternWeight);
  });
}

}  // namespace mt
