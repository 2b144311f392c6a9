// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/math/plane_row.h"
#include "kernels/views.h"

namespace mt {

/// How many of n pixels count in a statistic that looks at every `step`-th, from the first on.
static MT_HD inline int samples(int n, int step) {
  return (n + step - 1) / step;
}

/// A row of a part of a picture, pixels. Nothing is to be done for a row whose width is 0.
struct PartRow {
  int32_t x, y, width;
};

/// The parts of a picture that a kernel processes, row by row: the kernel's index is that of a row,
/// 0..count * height - 1. Parts do not overlap.
struct PartRows {
  const CellRect* parts;  ///< within the picture
  int32_t height;         ///< rows for each part: the height of the tallest one

  MT_HD PartRow operator[](int index) const {
    const CellRect part = parts[index / height];
    const int row = index % height;
    return {part.x, part.y + row, row < part.height ? part.width : 0};
  }
};

/// Divides a row of a part into the columns whose neighbours, up to `reach` to each side, are all
/// within the picture, and those where the picture must be reflected.
struct InnerColumns {
  int begin, end;   ///< the inner columns
  int first, last;  ///< those of the part: first..last - 1

  MT_HD InnerColumns(const PartRow& row, int picture_width, int reach)
      : first(row.x), last(row.x + row.width) {
    begin = first > reach ? first : reach;
    end = last < picture_width - reach ? last : picture_width - reach;
    if (begin >= end) begin = end = first;
  }
  MT_HD int count() const { return end - begin; }
  MT_HD int outer_count() const { return last - first - count(); }
  /// The i-th of the columns that are not inner.
  MT_HD int outer(int i) const { return first + i < begin ? first + i : first + i + count(); }
};

/// The first sample, in plane i, of a row of a part.
template <class ThreePlanes>
static MT_HD inline auto* plane_row(const ThreePlanes& planes, int i, const PartRow& row) {
  return plane_row(planes, i, row.y) + row.x;
}

/// Prefetches the row `below` rows further down of three planes.
template <class Group>
static MT_HD void prefetch_row(Group& g, const Planes& planes, const PartRow& row, int below = 1) {
  for (int i = 0; i < 3; ++i)
    g.prefetch(plane_row(planes, i, row) + static_cast<int64_t>(below) * planes.stride, row.width);
}

}  // namespace mt
