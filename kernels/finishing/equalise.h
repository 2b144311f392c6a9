// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Contrast-limited adaptive histogram equalisation (CLAHE; Zuiderveld 1994) of the lightness, as
/// OpenCV computes it on 8 bits. Tiles are those of CLAHE here, not photos.
#pragma once

#include "kernels/features/cell_features.h"
#include "kernels/kernel_list.h"
#include "kernels/math/copy_bytes.h"
#include "kernels/math/histogram.h"
#include "kernels/math/lab.h"
#include "kernels/math/part_rows.h"
#include "kernels/views.h"

namespace mt {

/// The picture is divided into `tiles` columns and rows of CLAHE tiles, each tile_width x
/// tile_height pixels. They may extend beyond the right and lower edge, where the picture is
/// reflected.
struct EqualiseGrid {
  int32_t tiles;  ///< 1..64
  int32_t tile_width, tile_height;
  int32_t clip;  ///< limit of a histogram bin; the excess is divided among all bins; 0: no limit
};

/// Bits of the fraction of an average over frames, and of the newest frame's share in it.
inline constexpr int kAverageBits = 8, kNewestBits = 16;

/// The tone curve of each tile, averaged over frames: curves of single frames would flicker where
/// nothing moves, because photos change elsewhere in the same tile. Index: tile, row by row.
struct EqualiseCurves {
  static constexpr KernelId kId = KernelId::kEqualiseCurves;
  static constexpr int kPiece = 16384;  ///< pixels counted together
  static constexpr int kShared = shared_block<int32_t>(256) + shared_block<uint8_t>(kPiece);
  EqualiseGrid grid;
  Planes from;       ///< L is plane 0
  int32_t* curves;   ///< [tiles x tiles][256]: 0..255, written
  int32_t* average;  ///< [tiles x tiles][256], x 2^kAverageBits: over frames, updated
  int32_t newest;    ///< share of this frame in the average, 0..2^kNewestBits

  template <class Group>
  MT_HD void operator()(Group& g, int tile) const {
    int32_t* counts = empty_histogram<int32_t>(g, 256);
    count_levels(g, tile, counts);
    if (grid.clip > 0) {
      g.for_each(1, [=, this](int) { clip_histogram(counts, grid.clip); });
      g.sync();
    }
    const float scale = 255.0f / static_cast<float>(grid.tile_width * grid.tile_height);
    int32_t *curve = curves + tile * 256, *mean = average + tile * 256;
    const int32_t share = newest;
    g.for_each(1, [=](int) {
      int32_t sum = 0;
      for (int i = 0; i < 256; ++i) {
        sum += counts[i];
        const int32_t now =
            clamp_int(static_cast<int32_t>(static_cast<float>(sum) * scale + 0.5f), 0, 255);
        const int32_t off = (now << kAverageBits) - mean[i];
        mean[i] += static_cast<int32_t>((static_cast<int64_t>(off) * share) >> kNewestBits);
        curve[i] = (mean[i] + (1 << (kAverageBits - 1))) >> kAverageBits;
      }
    });
  }

 private:
  /// Counts the levels of a tile's pixels.
  template <class Group>
  MT_HD void count_levels(Group& g, int tile, int32_t* counts) const {
    const int rows = grid.tile_height, columns = grid.tile_width;
    const int left = tile % grid.tiles * columns, top = tile / grid.tiles * rows;
    const int width = from.width, height = from.height;
    const int64_t pitch = from.stride;
    const uint8_t* in = from.plane[0];
    const bool inside = left + columns <= width && top + rows <= height;
    uint8_t* levels = g.template shared<uint8_t>(kPiece);
    const int wide = columns < kPiece ? columns : kPiece, high = kPiece / wide;
    for (int y0 = top; y0 < top + rows; y0 += high)
      for (int x0 = left; x0 < left + columns; x0 += wide) {
        const int n = top + rows - y0 < high ? top + rows - y0 : high;
        const int m = left + columns - x0 < wide ? left + columns - x0 : wide;
        if (inside)
          copy_bytes(g, in + y0 * pitch + x0, pitch, n, m, levels, m);
        else
          g.for_each(n, m, [=](int y, int x) {
            levels[y * m + x] = in[mirrored(y0 + y, height) * pitch + mirrored(x0 + x, width)];
          });
        g.sync();
        count_codes(g, levels, n * m, 256, counts);
        g.sync();
      }
  }

  /// Limits every bin and adds the excess equally to all bins, its remainder at regular intervals.
  static MT_HD void clip_histogram(int32_t* counts, int32_t clip) {
    int32_t over = 0;
    for (int i = 0; i < 256; ++i)
      if (counts[i] > clip) {
        over += counts[i] - clip;
        counts[i] = clip;
      }
    const int32_t each = over / 256;
    int32_t rest = over - each * 256;
    for (int i = 0; i < 256; ++i) counts[i] += each;
    const int step = rest > 0 && 256 / rest > 1 ? 256 / rest : 1;
    for (int i = 0; i < 256 && rest > 0; i += step, --rest) ++counts[i];
  }
};

/// Maps the lightness by the curves of the four nearest tiles, interpolated bilinearly, mixes it
/// with the lightness as it was, and converts to R, G, B. Index: row of a part.
struct Equalise {
  static constexpr KernelId kId = KernelId::kEqualise;
  PartRows rows;
  const Tables* tables;
  EqualiseGrid grid;
  const int32_t* curves;  ///< EqualiseCurves::curves
  Planes from;            ///< L, a, b
  Planes to;              ///< R, G, B
  float strength;         ///< share of the mapped lightness, 0..1
  /// Where these planes begin in the picture that the grid divides.
  int32_t left = 0, top = 0;

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const PartRow row = rows[index];
    prefetch_row(g, from, row);
    prefetch_row(g, to, row);
    const Tap v = tap(top + row.y, grid.tile_height, grid.tiles);
    const int32_t* upper = curves + v.first * grid.tiles * 256;
    const int32_t* lower = curves + v.second * grid.tiles * 256;
    const uint8_t *l = plane_row(from, 0, row), *a = plane_row(from, 1, row),
                  *b = plane_row(from, 2, row);
    uint8_t *out_r = plane_row(to, 0, row), *out_g = plane_row(to, 1, row),
            *out_b = plane_row(to, 2, row);
    const Tables* t = tables;
    const int tile_width = grid.tile_width, tiles = grid.tiles, first_x = left + row.x;
    const float changed = strength, kept = 1.0f - strength;
    g.for_each(row.width, [=](int x) {
      const Tap h = tap(first_x + x, tile_width, tiles);
      const int first = h.first * 256 + l[x], second = h.second * 256 + l[x];
      const float above = blend(upper[first], upper[second], h.share);
      const float below = blend(lower[first], lower[second], h.share);
      const float mapped = above * (1.0f - v.share) + below * v.share;
      const float mixed = mapped * changed + static_cast<float>(l[x]) * kept;
      const Triple rgb = lab_to_rgb(t, static_cast<int32_t>(mixed + 0.5f), a[x], b[x]);
      out_r[x] = static_cast<uint8_t>(rgb.v[0]);
      out_g[x] = static_cast<uint8_t>(rgb.v[1]);
      out_b[x] = static_cast<uint8_t>(rgb.v[2]);
    });
  }

 private:
  /// The two nearest tiles along one axis.
  struct Tap {
    int32_t first, second;
    float share;  ///< of the second
  };
  /// A curve applies at the centre of its tile; between centres two are mixed.
  static MT_HD Tap tap(int i, int size, int tiles) {
    const float at =
        static_cast<float>(i) / static_cast<float>(size) + 0.5f;  // one tile added: not negative
    const int32_t second = static_cast<int32_t>(at);
    return {second > 0 ? second - 1 : 0, second < tiles ? second : tiles - 1,
            at - static_cast<float>(second)};
  }
  static MT_HD float blend(int32_t a, int32_t b, float share) {
    return static_cast<float>(a) * (1.0f - share) + static_cast<float>(b) * share;
  }
};

}  // namespace mt
