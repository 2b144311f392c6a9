// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// How similar cells and tiles look: the covariance of their luma, and their structural similarity
/// (SSIM; Wang et al. 2004) with the defaults of scikit-image 0.26: uniform windows of 7 x 7
/// pixels, sample covariance, the mean over all windows that lie inside.
#pragma once

#include "kernels/matching/candidates.h"
#include "kernels/math/lab.h"

namespace mt {

/// Fractional bits of an SSIM; the sum over a column of windows fits 32 bits.
inline constexpr int kSsimBits = 23;
inline constexpr int kSsimWindow = 7;  ///< side of a window, pixels

/// A cell and its assigned tile.
struct RerankEntry {
  int32_t cell, tile;
};

/// Similarity of a cell and a tile; x and y are their luma over n = side^2 pixels.
struct RerankScore {
  int64_t ssim;        ///< sum over the windows, times 2^kSsimBits
  int64_t covariance;  ///< n sum(xy) - sum(x) sum(y)
  int64_t variance;    ///< n sum(yy) - sum(y)^2
  int32_t tile;        ///< -1: none; the rest is 0
  int32_t reserved;
};

/// Which part of the scores a launch of Rerank computes. Few tiles need their SSIM once it is known
/// how well they correlate, and it takes ten times as long as the covariance.
enum class RerankPart : int32_t { kAll, kCovariances, kSimilarities };

/// Scores of a cell's assigned tile and of the tiles nearest to the cell. Index: entry.
struct Rerank {
  static constexpr KernelId kId = KernelId::kRerank;
  static constexpr int kMaxSide = 256;
  static constexpr int kBatch = 9;  ///< tiles processed together, a third of all if `wanted` is
                                    ///< kRerankNearest
  static constexpr int kShared =
      4 * shared_block<int32_t>(kBatch * kMaxSide) + 2 * shared_block<int32_t>(kMaxSide) +
      shared_block<int64_t>(kBatch) + shared_block<int32_t>(1 + kRerankNearest) +
      shared_block<int32_t>(1);
  const RerankEntry* entries;  ///< [count]
  const uint8_t* pixels;       ///< [all cells][3: R, G, B][side][side]
  const uint8_t* grays;        ///< [tiles][side][side]
  int32_t side;                ///< pixels, kSsimWindow..kMaxSide
  const int32_t* nearest;      ///< [all cells][kRerankNearest], -1 where there are fewer
  int32_t wanted;              ///< how many of the nearest, 1..kRerankNearest
  uint8_t* gray;               ///< [entries][side][side]: the cells' luma, written except
                               ///< by kSimilarities, which reads what kCovariances wrote
  RerankScore* scores;  ///< [entries][1 + wanted], written: the assigned tile, then the nearest.
                        ///< kCovariances writes an SSIM of 0, kSimilarities nothing but SSIM
  RerankPart part = RerankPart::kAll;
  const uint32_t* similar = nullptr;  ///< [entries], for kSimilarities: in bit k, whether score k
                                      ///< gets its SSIM

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const int area = side * side;
    uint8_t* cell = gray + static_cast<int64_t>(index) * area;
    RerankScore* out = scores + static_cast<int64_t>(index) * (1 + wanted);
    if (part != RerankPart::kSimilarities) write_covariances(g, entries[index], cell, out);
    if (part == RerankPart::kAll) write_similarities(g, UINT32_MAX, cell, out);
    if (part == RerankPart::kSimilarities) write_similarities(g, similar[index], cell, out);
  }

 private:
  static_assert(1 + kRerankNearest <= 32);  // bits of `similar`

  /// Sums of each column over the kSsimWindow rows of the windows: [tiles][side], or
  /// [side] where they depend on the cell alone.
  struct Sums {
    int32_t *y, *squares, *xy;  ///< squares: x^2 + y^2
    int32_t* similarity;        ///< SSIM of the windows so far, summed over their rows
    int32_t* x;
    int32_t* window;  ///< [side - 6]: sums of x over whole windows
  };

  /// Writes the cell's luma, and all scores but the SSIM.
  template <class Group>
  MT_HD void write_covariances(Group& g, const RerankEntry& entry, uint8_t* cell,
                               RerankScore* out) const {
    const int area = side * side, count = 1 + wanted;
    const int32_t* near = nearest + static_cast<int64_t>(entry.cell) * kRerankNearest;
    const int64_t cell_sum = fetch(g, pixels + static_cast<int64_t>(entry.cell) * 3 * area, cell);
    const int32_t own = entry.tile;
    g.for_each(count, [=](int k) { out[k] = {0, 0, 0, k ? near[k - 1] : own, 0}; });
    g.sync();
    for (int k = 0; k < count; ++k)
      if (out[k].tile >= 0) write_covariance(g, cell, cell_sum, out + k);
    g.sync();
  }

  /// Writes the SSIM of the scores that have a bit.
  template <class Group>
  MT_HD void write_similarities(Group& g, uint32_t bits, const uint8_t* cell,
                                RerankScore* out) const {
    const int area = side * side, count = 1 + wanted;
    int64_t* offsets = g.template shared<int64_t>(kBatch);
    int32_t* number = g.template shared<int32_t>(1 + kRerankNearest);
    int32_t* found = g.template shared<int32_t>(1);
    const Sums sums{g.template shared<int32_t>(kBatch * kMaxSide),
                    g.template shared<int32_t>(kBatch * kMaxSide),
                    g.template shared<int32_t>(kBatch * kMaxSide),
                    g.template shared<int32_t>(kBatch * kMaxSide),
                    g.template shared<int32_t>(kMaxSide),
                    g.template shared<int32_t>(kMaxSide)};
    g.for_each(1, [=](int) {
      int n = 0;
      for (int k = 0; k < count; ++k)
        if (out[k].tile >= 0 && (bits >> k & 1)) number[n++] = k;
      *found = n;
    });
    g.sync();
    for (int first = 0; first < *found; first += kBatch) {
      const int rest = *found - first, n = rest < kBatch ? rest : kBatch;
      const int32_t* numbers = number + first;
      g.sync();
      g.for_each(n, [=](int k) { offsets[k] = static_cast<int64_t>(out[numbers[k]].tile) * area; });
      g.sync();
      add_ssim(g, cell, offsets, n, sums);
      write_ssim(g, n, sums.similarity, out, numbers);
    }
  }

  /// Writes the luma of a cell and returns its sum.
  template <class Group>
  MT_HD int64_t fetch(Group& g, const uint8_t* rgb, uint8_t* cell) const {
    const int area = side * side;
    int32_t sum = 0;
    g.for_each(area, [=, &sum](int i) {
      const int32_t v = planar_gray(rgb, area, i);
      cell[i] = static_cast<uint8_t>(v);
      sum += v;
    });
    return g.sum(sum);
  }

  /// Writes covariance and variance of the score's tile, which is not -1.
  template <class Group>
  MT_HD void write_covariance(Group& g, const uint8_t* cell, int64_t cell_sum,
                              RerankScore* out) const {
    const int area = side * side;
    const uint8_t* y = grays + static_cast<int64_t>(out->tile) * area;
    uint32_t sum = 0, square = 0, cross = 0;  // 256 x 256 squares of 8 bits stay below 2^32
    g.for_each(area, [=, &sum, &square, &cross](int i) {
      const int16_t a = cell[i], b = y[i];
      sum += static_cast<uint32_t>(b);
      square += static_cast<uint32_t>(b * b);
      cross += static_cast<uint32_t>(a * b);
    });
    const int64_t tile_sum = g.sum(sum);
    const int64_t variance = area * g.sum(square) - tile_sum * tile_sum;
    const int64_t covariance = area * g.sum(cross) - cell_sum * tile_sum;
    g.for_each(1, [=](int) {
      out->variance = variance;
      out->covariance = covariance;
    });
  }

  /// SSIM of a cell with n tiles: moves the windows down by one row at a time.
  template <class Group>
  MT_HD void add_ssim(Group& g, const uint8_t* cell, const int64_t* offsets, int n,
                      const Sums& s) const {
    const int size = side;
    g.for_each(n * size, [=](int i) { s.y[i] = s.squares[i] = s.xy[i] = s.similarity[i] = 0; });
    g.for_each(size, [=](int i) { s.x[i] = 0; });
    for (int row = 0; row < size; ++row) {
      g.sync();
      if (row < kSsimWindow)
        add_row<false>(g, cell, offsets, n, row, s);
      else
        add_row<true>(g, cell, offsets, n, row, s);
      g.sync();
      if (row < kSsimWindow - 1) continue;
      g.for_each(size - (kSsimWindow - 1), [=](int i) { s.window[i] = window(s.x + i); });
      g.sync();
      add_similarity(g, n, s);
    }
    g.sync();
  }

  /// Adds a row to the sums and, with kRemove, subtracts the row that the windows leave.
  template <bool kRemove, class Group>
  MT_HD void add_row(Group& g, const uint8_t* cell, const int64_t* offsets, int n, int row,
                     const Sums& s) const {
    const int size = side, back = kSsimWindow * side;
    const uint8_t *x = cell + row * size, *all = grays + row * size;
    int32_t *column = s.x, *y = s.y, *squares = s.squares, *xy = s.xy;
    g.for_each(size, [=](int i) { column[i] += x[i] - (kRemove ? x[i - back] : 0); });
    g.for_each(n, size, [=](int k, int i) {
      const uint8_t* tile = all + offsets[k];
      const int32_t a = x[i], b = tile[i], at = k * size + i;
      int32_t sum = b, square = a * a + b * b, cross = a * b;
      if constexpr (kRemove) {
        const int32_t c = x[i - back], d = tile[i - back];
        sum -= d;
        square -= c * c + d * d;
        cross -= c * d;
      }
      y[at] += sum;
      squares[at] += square;
      xy[at] += cross;
    });
  }

  static MT_HD int32_t window(const int32_t* columns) {
    int32_t sum = 0;
    for (int i = 0; i < kSsimWindow; ++i) sum += columns[i];
    return sum;
  }

  /// Adds the SSIM of each window of this row. All integers are below 2^29: 49^2 x 255^2 x 2.
  template <class Group>
  MT_HD void add_similarity(Group& g, int n, const Sums& s) const {
    constexpr int kPixels = kSsimWindow * kSsimWindow;
    // The constants (0.01 x 255)^2 and (0.03 x 255)^2 of SSIM, in the units of the sums.
    constexpr float kMeans = 6.5025f * kPixels * kPixels;
    constexpr float kSpreads = 58.5225f * kPixels * (kPixels - 1);
    const int size = side;
    const int32_t *x_window = s.window, *y = s.y, *squares = s.squares, *xy = s.xy;
    int32_t* similarity = s.similarity;
    g.for_each(n, size - (kSsimWindow - 1), [=](int k, int i) {
      const int at = k * size + i;
      const int32_t mx = x_window[i], my = window(y + at);
      const int32_t both = mx * my, means = mx * mx + my * my;
      const int32_t covariance = kPixels * window(xy + at) - both;
      const int32_t spreads = kPixels * window(squares + at) - means;
      const float numerator =
          (static_cast<float>(2 * both) + kMeans) * (static_cast<float>(2 * covariance) + kSpreads);
      const float denominator =
          (static_cast<float>(means) + kMeans) * (static_cast<float>(spreads) + kSpreads);
      // Between -1 and 1, but for rounding.
      similarity[at] += static_cast<int32_t>(numerator / denominator * (1 << kSsimBits));
    });
  }

  template <class Group>
  MT_HD void write_ssim(Group& g, int n, const int32_t* similarity, RerankScore* out,
                        const int32_t* numbers) const {
    const int size = side;
    g.for_each(n, [=](int k) {
      int64_t sum = 0;
      for (int i = 0; i < size - (kSsimWindow - 1); ++i) sum += similarity[k * size + i];
      out[numbers[k]].ssim = sum;
    });
  }
};

}  // namespace mt
