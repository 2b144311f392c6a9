// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// How colourful a picture is: the 99th percentile of the chroma of its pixels in Oklab.
#pragma once

#include "kernels/kernel_list.h"
#include "kernels/math/oklab.h"
#include "kernels/math/part_rows.h"
#include "kernels/views.h"

namespace mt {

/// Histogram of chroma in steps of 1 / kChromaScale; all sRGB colours are below 0.33.
inline constexpr int kChromaBins = 4096;
inline constexpr float kChromaScale = kChromaBins / 0.35f;

/// Pixels with less chroma are grey and do not count.
inline constexpr float kMinChroma = 0.001f;

/// Histogram of the chroma of a strip, of every `step`-th pixel of every `step`-th row. Index:
/// strip of kRows rows.
struct ChromaCounts {
  static constexpr KernelId kId = KernelId::kChromaCounts;
  static constexpr int kRows = 32;
  static constexpr int kPiece = 2048;  ///< pixels processed together
  static constexpr int kShared =
      shared_block<int32_t>(kChromaBins + 1) + shared_block<int32_t>(kPiece);
  const Tables* tables;
  Planes from;
  int32_t step;     ///< a divisor of kRows
  int32_t* counts;  ///< [strips][kChromaBins], written

  template <class Group>
  MT_HD void operator()(Group& g, int strip) const {
    int32_t* bins = g.template shared<int32_t>(kChromaBins + 1);
    int32_t* codes = g.template shared<int32_t>(kPiece);
    g.for_each(kChromaBins, [=](int i) { bins[i] = 0; });
    const int columns = samples(from.width, step);
    const int end = (strip + 1) * kRows < from.height ? (strip + 1) * kRows : from.height;
    for (int y = strip * kRows; y < end; y += step)
      for (int i = 0; i < columns; i += kPiece) {
        const int n = columns - i < kPiece ? columns - i : kPiece;
        g.sync();
        find(g, static_cast<int64_t>(y) * from.stride + i * step, n, codes);
        g.sync();
        g.for_each(n, [=, &g](int i) { g.add(bins[codes[i]], 1); });
      }
    g.sync();
    int32_t* out = counts + static_cast<int64_t>(strip) * kChromaBins;
    g.for_each(kChromaBins, [=](int i) { out[i] = bins[i]; });
  }

 private:
  /// The bin of each pixel; kChromaBins if it does not count.
  template <class Group>
  MT_HD void find(Group& g, int64_t at, int n, int32_t* codes) const {
    const uint8_t *r = from.plane[0] + at, *gr = from.plane[1] + at, *b = from.plane[2] + at;
    const float* unit = tables->linear_unit;
    const int each = step;
    g.for_each(n, [=](int i) {
      const int x = i * each;
      const Oklab c = oklab_of_linear(unit[r[x]], unit[gr[x]], unit[b[x]]);
      const float chroma = sqrtf(c.a * c.a + c.b * c.b);
      const int32_t bin =
          clamp_int(static_cast<int32_t>(chroma * kChromaScale), 0, kChromaBins - 1);
      codes[i] = chroma > kMinChroma ? bin : kChromaBins;
    });
  }
};

/// The percentile over all strips. Launched as one group, with index 0.
struct ChromaPercentile {
  static constexpr KernelId kId = KernelId::kChromaPercentile;
  static constexpr int kShared = shared_block<int32_t>(kChromaBins);
  const int32_t* counts;  ///< [strips][kChromaBins]
  int32_t strips;
  float*
      chroma;    ///< [1]: running average over frames, updated; above 0: grey pictures count as 0.3
  float newest;  ///< share of this frame in the average, 0..1; 1: earlier frames do not count

  template <class Group>
  MT_HD void operator()(Group& g, int) const {
    int32_t* bins = g.template shared<int32_t>(kChromaBins);
    const int32_t* in = counts;
    const int n = strips;
    int64_t mine = 0;
    g.for_each(kChromaBins, [=, &mine](int i) {
      int32_t sum = 0;
      for (int s = 0; s < n; ++s) sum += in[static_cast<int64_t>(s) * kChromaBins + i];
      bins[i] = sum;
      mine += sum;
    });
    const int64_t total = g.sum(mine);
    g.sync();
    float* out = chroma;
    const float share = newest, rest = 1.0f - newest;
    g.for_each(1,
               [=](int) { *out = (total ? percentile(bins, total) : 0.3f) * share + *out * rest; });
  }

 private:
  /// The chroma below which 99 % of the pixels are, interpolated linearly within a bin.
  static MT_HD float percentile(const int32_t* bins, int64_t total) {
    const int64_t rank = (total - 1) * 99 / 100;
    int64_t below = 0;
    int bin = 0;
    while (below + bins[bin] <= rank) below += bins[bin++];
    const float part = (static_cast<float>(rank - below) + 0.5f) / static_cast<float>(bins[bin]);
    return (static_cast<float>(bin) + part) / kChromaScale;
  }
};

}  // namespace mt
