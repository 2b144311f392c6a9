// SPDX-License-Identifier: LGPL-2.1-or-later
// Feature vectors like those of photos, for the tests of sketches and of searches with them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "cuda/features/cell_features.h"

namespace test {

/// 8-bit CIELAB of the corners of sRGB. Green and blue are the two farthest apart.
inline constexpr int kCorners = 8;
inline constexpr double kCornerLab[kCorners][3] = {{0, 128, 128},  {255, 128, 128}, {136, 208, 195},
                                                   {224, 42, 211}, {82, 207, 20},   {248, 106, 223},
                                                   {232, 80, 114}, {154, 226, 67}};
inline constexpr int kGreen = 3, kBlue = 4;

struct Histogram {
  int at, count, bins, weight;
};
inline constexpr Histogram kHistograms[] = {
    {mt::kColourAt, 3, mt::kColourBins, mt::kColourWeight},
    {mt::kGradientAt, 5, mt::kDirections, mt::kGradientWeight},
    {mt::kPatternAt, 4, mt::kPatternBins, mt::kPatternWeight}};

class FeatureVectors {
 public:
  explicit FeatureVectors(int n)
      : features_(size_t(n) * mt::kFeatureStride), residuals_(features_.size()) {}
  mt::FineFeatures parts() const { return {features_.data(), residuals_.data()}; }
  mt::FineFeatures at(int i) const { return parts().at(i); }
  int size() const { return static_cast<int>(features_.size() / mt::kFeatureStride); }

  /// @param i index of the mean, in the reference's order
  void set_mean(int vector, int i, double value) {
    out(vector).put(i, std::llround(value * 65536), 65536, 1);
  }
  void set_colour(int vector, int square, const double* lab) {
    for (int c = 0; c < 3; ++c) set_mean(vector, 3 * square + c, lab[c]);
  }
  void set_flat(int vector, const double* lab) {
    for (int s = 0; s < mt::kSquares * mt::kSquares; ++s) set_colour(vector, s, lab);
  }
  /// @param part gives the content of bin i of a histogram
  template <class F>
  void set_histograms(int vector, F part) {
    for (const Histogram& h : kHistograms)
      for (int k = 0; k < h.count; ++k) {
        std::vector<int64_t> parts(h.bins);
        int64_t total = 0;
        for (int i = 0; i < h.bins; ++i) total += parts[i] = part(i);
        for (int i = 0; i < h.bins; ++i)
          out(vector).put(h.at + k * h.bins + i, parts[i], total, h.weight);
      }
  }

  /// Like a photo: different colours in each corner that blend into one another, and detail.
  void set_photo(int vector, std::mt19937& random) {
    const auto unit = [&] { return static_cast<double>(random() % 10000) / 9999; };
    double of_corner[4][kCorners];
    for (int c = 0; c < kCorners; ++c) {
      const double all = std::pow(unit(), 3);
      for (auto& corner : of_corner) corner[c] = all + 0.3 * std::pow(unit(), 3);
    }
    for (int s = 0; s < mt::kSquares * mt::kSquares; ++s) {
      const double y = s / mt::kSquares / 4.0, x = s % mt::kSquares / 4.0;
      const double share[4] = {(1 - y) * (1 - x), (1 - y) * x, y * (1 - x), y * x};
      double lab[3] = {}, total = 0;
      for (int c = 0; c < kCorners; ++c) {
        double weight = 0.05 * unit();
        for (int k = 0; k < 4; ++k) weight += share[k] * of_corner[k][c];
        for (int i = 0; i < 3; ++i) lab[i] += weight * kCornerLab[c][i];
        total += weight;
      }
      for (double& v : lab) v /= total;
      set_colour(vector, s, lab);
    }
    set_histograms(vector, [&](int) { return std::llround(1e6 * std::pow(unit(), 4)); });
  }

 private:
  mt::FeatureOut out(int vector) {
    const size_t at = size_t(vector) * mt::kFeatureStride;
    return {features_.data() + at, residuals_.data() + at};
  }

  std::vector<int16_t> features_, residuals_;
};

/// @param different number of different photos; the others are copies of them
inline FeatureVectors photos(int n, int seed, int different) {
  FeatureVectors v(n);
  for (int i = 0; i < n; ++i) {
    std::mt19937 random(seed * 100000 + i % different);
    v.set_photo(i, random);
  }
  return v;
}

}  // namespace test
