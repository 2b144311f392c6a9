// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Moves the colours of each cell of the finished picture towards those of its source, while the
/// photo in it keeps its structure.
///
/// Within a cell every channel is mapped by x -> scale x + offset. With M the cell's mean and U the
/// mean of its source, the map
///
///     x -> k x + (U - k M),   k = 1 - s (1 - min(1, U / M, (255 - U) / (255 - M)))
///
/// gives the mean U. The further the mean moves, the more it lowers the contrast: with s = 1 by
/// just enough that even black and white stay within 0..255; with a smaller s more of the contrast
/// is left, and extreme pixels are clipped. The cell is mapped by
///
///     x -> (1 - g) x + g map(x),   g = e / (e + tolerance)
///     e = (|U - M| of R + 2 |U - M| of G + |U - M| of B) / 4
///
/// so that cells whose colour is right keep their grading, and cells that are far off are corrected
/// most. Then the same is done with the means of the cell's quadrants, with a g that does not
/// depend on the error, and the maps of the quadrants are interpolated bilinearly between their
/// centres: an eye in the source that covers half a cell stays visible.
#pragma once

#include "kernels/drawing/draw.h"
#include "kernels/kernel_list.h"
#include "kernels/math/border.h"
#include "kernels/math/sum_columns.h"
#include "kernels/views.h"

namespace mt {

/// Levels and the coefficients of maps are in fixed point.
inline constexpr int kLevelBits = 8, kMapBits = 16;
inline constexpr int32_t kWhite = 255 << kLevelBits;  ///< the highest level
inline constexpr int32_t kWholeMap = 1 << kMapBits;   ///< a scale or a share of 1

/// Mean levels of a cell, x 2^kLevelBits.
struct CellMeans {
  int32_t cell[3];         ///< R, G, B
  int32_t quadrant[4][3];  ///< upper left, upper right, lower left, lower right
};

/// A cell divided into quadrants. The left and upper ones are the smaller if a side is odd, and
/// empty if it is 1.
struct Quadrants {
  CellRect at;
  int32_t columns, rows;  ///< of the left and of the upper quadrants

  MT_HD explicit Quadrants(const CellRect& r) : at(r), columns(r.width / 2), rows(r.height / 2) {}
  MT_HD CellRect operator[](int i) const {
    const int x = i % 2 ? columns : 0, y = i / 2 ? rows : 0;
    return {at.x + x, at.y + y, i % 2 ? at.width - columns : columns,
            i / 2 ? at.height - rows : rows};
  }
};

/// Shared memory of cell_means(), bytes.
inline constexpr int kMeansColumns = 1024;  ///< columns processed together
inline constexpr int kMeansShared = shared_block<uint16_t>(kMeansColumns);

/// The sums of a plane's pixels in the left and the right part of a rectangle.
struct HalfSums {
  int64_t left, right;
};

/// @param columns of the left part
/// @param scratch [kMeansColumns], shared
/// @return the same for every worker of the group
template <class Group>
static MT_HD HalfSums sum_halves(Group& g, const uint8_t* plane, int64_t pitch, const CellRect& r,
                                 int columns, uint16_t* scratch) {
  constexpr int kRows = 256;
  HalfSums sums{0, 0};
  for (int y = 0; y < r.height; y += kRows)
    for (int x = 0; x < r.width; x += kMeansColumns) {
      const int rows = r.height - y < kRows ? r.height - y : kRows;
      const int n = r.width - x < kMeansColumns ? r.width - x : kMeansColumns;
      const int middle = columns < x ? 0 : columns - x < n ? columns - x : n;
      sum_columns(g, plane + (r.y + y) * pitch + r.x + x, static_cast<int>(pitch), rows, n,
                  scratch);
      g.sync();
      int32_t left = 0, right = 0;
      g.for_each(middle, [=, &left](int i) { left += scratch[i]; });
      g.for_each(n - middle, [=, &right](int i) { right += scratch[middle + i]; });
      g.sync();
      sums.left += left;
      sums.right += right;
    }
  return {g.sum(sums.left), g.sum(sums.right)};
}

/// The means of a cell. A quadrant without pixels has the cell's.
template <class Group>
static MT_HD CellMeans cell_means(Group& g, const Planes& from, const CellRect& cell) {
  CellMeans means;
  uint16_t* scratch = g.template shared<uint16_t>(kMeansColumns);
  const Quadrants quadrants(cell);
  const auto mean = [](int64_t sum, int64_t pixels) {
    return static_cast<int32_t>(((sum << kLevelBits) + pixels / 2) / pixels);
  };
  for (int i = 0; i < 3; ++i) {
    int64_t sums[4], all = 0;
    for (int half = 0; half < 2; ++half) {
      const CellRect left = quadrants[2 * half], right = quadrants[2 * half + 1];
      const CellRect both{left.x, left.y, left.width + right.width, left.height};
      const HalfSums found = sum_halves(g, from.plane[i], from.stride, both, left.width, scratch);
      sums[2 * half] = found.left;
      sums[2 * half + 1] = found.right;
      all += found.left + found.right;
    }
    means.cell[i] = mean(all, static_cast<int64_t>(cell.width) * cell.height);
    for (int q = 0; q < 4; ++q) {
      const int64_t pixels = static_cast<int64_t>(quadrants[q].width) * quadrants[q].height;
      means.quadrant[q][i] = pixels ? mean(sums[q], pixels) : means.cell[i];
    }
  }
  return means;
}

/// Finds the means of the source in cells. Index: entry of `paint`.
struct SourceMeans {
  static constexpr KernelId kId = KernelId::kSourceMeans;
  static constexpr int kShared = kMeansShared;
  const CellPaint* paint;  ///< [count]
  Planes source;           ///< size of the mosaic
  CellMeans* means;        ///< [all cells], written for the cells in `paint`

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const CellRect r = clipped(paint[index].at, source);
    if (r.width == 0 || r.height == 0) return;
    const CellMeans found = cell_means(g, source, r);
    CellMeans* out = means + paint[index].cell;
    g.for_each(1, [=](int) { *out = found; });
  }
};

/// How far a cell is corrected.
struct Correction {
  int32_t tolerance;       ///< 0..2^30, x 2^kLevelBits: the error of which half is corrected
  int32_t quadrant_share;  ///< 0..kWholeMap: how far quadrants are corrected
  int32_t contrast_loss;   ///< 0..kWholeMap: s
};

/// Corrects cells of a picture. Index: entry of `list`, or a cell if there is no list.
struct CorrectCells {
  static constexpr KernelId kId = KernelId::kCorrectCells;
  static constexpr int kShared = kMeansShared;
  const CellRect* cells;    ///< [all cells]
  const int32_t* list;      ///< [count]: cells, or null
  const CellMeans* wanted;  ///< [all cells]: SourceMeans::means
  const uint8_t* kind;      ///< [all cells]: which entry of `corrections`
  Correction corrections[2];
  Planes from, to;  ///< of equal size and stride

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const int32_t cell = list ? list[index] : index;
    const CellRect r = clipped(cells[cell], from);
    if (r.width == 0 || r.height == 0) return;
    const CellMeans is = cell_means(g, from, r), want = wanted[cell];
    const Correction how = corrections[kind[cell]];
    const int32_t share = cell_share(is.cell, want.cell, how.tolerance);
    for (int i = 0; i < 3; ++i) {
      const Map map = towards(is.cell[i], want.cell[i], share, how.contrast_loss);
      Map maps[4];
      for (int q = 0; q < 4; ++q)
        maps[q] = chain(map, towards(map(is.quadrant[q][i]), want.quadrant[q][i],
                                     how.quadrant_share, how.contrast_loss));
      apply(g, r, from.plane[i], to.plane[i], from.stride, maps);
    }
  }

 private:
  /// x -> (scale x + offset) / 2^kMapBits, x a level without fraction. Scale: 0..kWholeMap,
  /// |offset| <= 255 x 2^kMapBits.
  struct Map {
    int32_t scale, offset;
    /// @param level  x 2^kLevelBits, like the result
    MT_HD int32_t operator()(int32_t level) const {
      const int64_t mapped =
          static_cast<int64_t>(scale) * level + (static_cast<int64_t>(offset) << kLevelBits);
      return clamp_int(static_cast<int32_t>(mapped >> kMapBits), 0, kWhite);
    }
  };

  /// e / (e + tolerance)
  static MT_HD int32_t cell_share(const int32_t* is, const int32_t* want, int32_t tolerance) {
    int32_t error = 0;
    for (int i = 0; i < 3; ++i) {
      const int32_t off = want[i] - is[i];
      error += (i == 1 ? 2 : 1) * (off < 0 ? -off : off);
    }
    error /= 4;
    if (error == 0) return 0;
    return static_cast<int32_t>((static_cast<int64_t>(error) << kMapBits) / (error + tolerance));
  }

  /// The map that changes the mean from `is` to `want`, mixed with the identity.
  /// @param share of that map, 0..kWholeMap
  /// @param contrast_loss see Correction
  static MT_HD Map towards(int32_t is, int32_t want, int32_t share, int32_t contrast_loss) {
    int64_t k = kWholeMap;
    if (want < is) k = (static_cast<int64_t>(want) << kMapBits) / is;
    if (want > is) k = (static_cast<int64_t>(kWhite - want) << kMapBits) / (kWhite - is);
    k = kWholeMap - ((kWholeMap - k) * contrast_loss >> kMapBits);
    const int64_t shift = (static_cast<int64_t>(want) << kMapBits) - k * is;
    return {static_cast<int32_t>(kWholeMap + ((k - kWholeMap) * share >> kMapBits)),
            static_cast<int32_t>(shift * share >> (kMapBits + kLevelBits))};
  }

  /// The map that applies `first`, then `second`.
  static MT_HD Map chain(const Map& first, const Map& second) {
    const int64_t scale = second.scale;
    return {static_cast<int32_t>(first.scale * scale >> kMapBits),
            static_cast<int32_t>(first.offset * scale >> kMapBits) + second.offset};
  }

  /// The position between the centres of the two halves of a side, x 2^8: 0 up to the centre of the
  /// first, 2^8 from the centre of the second on.
  struct Ramp {
    int32_t step, start;
    MT_HD explicit Ramp(int side)
        : step((512 << 16) / side),
          start(static_cast<int32_t>((int64_t{128 << 16} * (2 - side)) / side)) {}
    MT_HD int32_t operator()(int i) const { return clamp_int((i * step + start) >> 16, 0, 256); }
  };

  static MT_HD Map between(const Map& a, const Map& b, int32_t share) {
    return {a.scale + (((b.scale - a.scale) * share) >> 8),
            a.offset + ((b.offset - a.offset) >> 8) * share};
  }

  template <class Group>
  static MT_HD void apply(Group& g, const CellRect& r, const uint8_t* from, uint8_t* to,
                          int64_t pitch, const Map (&maps)[4]) {
    const Ramp across(r.width), down(r.height);
    const Map m0 = maps[0], m1 = maps[1], m2 = maps[2], m3 = maps[3];
    const int64_t first = r.y * pitch + r.x;
    const uint8_t* in = from + first;
    uint8_t* out = to + first;
    g.for_each(r.height, r.width, [=](int y, int x) {
      const int32_t v = down(y);
      const Map m = between(between(m0, m2, v), between(m1, m3, v), across(x));
      const int64_t k = y * pitch + x;
      const int32_t level = (m.scale * in[k] + m.offset + kWholeMap / 2) >> kMapBits;
      out[k] = static_cast<uint8_t>(clamp_int(level, 0, 255));
    });
  }
};

}  // namespace mt
