// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/features/edges.h"
#include "kernels/features/laplacian.h"
#include "kernels/math/plane_row.h"

namespace mt {

/// How much detail the pixels of a cell have; those outside of the picture do not count.
struct CellDetail {
  int32_t edges;          ///< number of pixels on an edge (Canny, see edges.h)
  int32_t laplacian;      ///< sum of the Laplacian's magnitudes in the smoothed picture
  int32_t max_laplacian;  ///< the largest magnitude, 0..1020
};

/// Finds out whether any cell changed; if none did, the kernels that follow return at once. One
/// group: index 0.
struct AnyChanged {
  static constexpr KernelId kId = KernelId::kAnyChanged;
  const uint8_t* changed;  ///< [cells]: 0 or 1
  int32_t cells;
  int32_t* any;  ///< [1]: 1 or 0, written

  template <class Group>
  MT_HD void operator()(Group& g, int) const {
    const uint8_t* in = changed;
    int32_t sum = 0;
    g.for_each(cells, [=, &sum](int i) { sum += in[i]; });
    const int64_t all = g.sum(sum);
    g.for_each(1, [=, out = any](int) { *out = all != 0; });
  }
};

/// Converts a picture to grey. Index: row.
struct ToGray {
  static constexpr KernelId kId = KernelId::kToGray;
  const int32_t* any;  ///< AnyChanged::any
  Planes from;
  uint8_t* to;  ///< [height][from.stride], written

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    if (!*any) return;
    gray_row(g, {plane_row(from, 0, y), plane_row(from, 1, y), plane_row(from, 2, y)}, from.width,
             to + static_cast<int64_t>(y) * from.stride);
  }
};

/// Sums up edges and Laplacian for each cell. Index: cell.
struct SumDetail {
  static constexpr KernelId kId = KernelId::kSumDetail;
  const int32_t* any;  ///< AnyChanged::any
  CellLayout layout;
  EdgeBits edges;
  const LaplacianPart* parts;  ///< LaplacianParts::parts
  CellDetail* detail;          ///< [cells]

  template <class Group>
  MT_HD void operator()(Group& g, int cell) const {
    if (!*any) return;
    const int64_t on_edge = g.sum(count_edges(g, cell));
    const int column = cell % layout.columns, row = cell / layout.columns;
    const int strips = layout.strips_per_row(), columns = layout.columns;
    const LaplacianPart* part = parts + static_cast<int64_t>(row) * strips * columns + column;
    int32_t sum = 0, most = 0;
    g.for_each(strips, [=, &sum, &most](int i) {
      const LaplacianPart p = part[i * columns];
      sum += p.sum;
      most = p.max > most ? p.max : most;
    });
    const int64_t all = g.sum(sum);
    const auto largest = static_cast<int32_t>(INT32_MAX - g.min(INT32_MAX - most));
    g.for_each(1, [=, out = detail](int) {
      out[cell] = {static_cast<int32_t>(on_edge), static_cast<int32_t>(all), largest};
    });
  }

 private:
  /// The number of edge pixels in the rows that for_each gives this worker.
  template <class Group>
  MT_HD int64_t count_edges(Group& g, int cell) const {
    const Span x = layout.across(cell % layout.columns), y = layout.down(cell / layout.columns);
    const int first = x.begin / 32, last = (x.end - 1) / 32;
    const uint32_t from = ~uint32_t{0} << x.begin % 32;
    const uint32_t until = ~uint32_t{0} >> (31 - (x.end - 1) % 32);
    const EdgeBits in = edges;
    int32_t count = 0;
    g.for_each(y.end - y.begin, [=, &count](int i) {
      const uint32_t* row = in.row(y.begin + i);
      for (int w = first; w <= last; ++w)
        count += set_bits(row[w] & (w == first ? from : ~uint32_t{0}) &
                          (w == last ? until : ~uint32_t{0}));
    });
    return count;
  }
};

}  // namespace mt
