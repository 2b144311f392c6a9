// SPDX-License-Identifier: LGPL-2.1-or-later
// Launches of the kernels that correct the colours of cells; included by kernel_cases.h.
#pragma once

#include "cuda/drawing/cell_correction.h"
#include "tests/cuda/case.h"
#include "tests/cuda/kernel_memory.h"

namespace test {

/// Where the cells of a case lie; those at the edge reach beyond the picture.
inline std::vector<mt::CellRect> case_cells(const CaseSize& s) {
  std::vector<mt::CellRect> cells(s.cells());
  for (int i = 0; i < s.cells(); ++i)
    cells[i] = {s.left() + i % s.columns() * s.side, s.top() + i / s.columns() * s.side, s.side,
                s.side};
  return cells;
}

template <>
struct Cases<mt::SourceMeans> {
  static constexpr int kCount = 1;
  static Launch<mt::SourceMeans> make(KernelMemory& m, const CaseSize& s, int) {
    std::vector<mt::CellPaint> paint;
    for (const mt::CellRect& at : case_cells(s))
      paint.push_back({at, s.cells() - 1 - static_cast<int>(paint.size()), 0, 0.0f});
    return {{m.holding(paint), m.planes(s.width, s.height), m.zeroed<mt::CellMeans>(s.cells())},
            s.cells(),
            3 * s.pixels() + s.cells() * sizeof(mt::CellMeans)};
  }
};

template <>
struct Cases<mt::CorrectCells> {
  static constexpr int kCount = 3;
  /// Some cells with a tolerance of 12 levels and half of the quadrants' correction; all cells with
  /// next to no correction; all cells with all of it.
  static Launch<mt::CorrectCells> make(KernelMemory& m, const CaseSize& s, int which) {
    std::vector<mt::CellMeans> wanted(s.cells());
    const auto levels = m.values<int32_t>(wanted.size() * 15, mt::kWhite + 1);
    for (size_t cell = 0; cell < wanted.size(); ++cell)
      for (int i = 0; i < 3; ++i) {
        const int32_t* level = &levels[cell * 15 + i * 5];
        wanted[cell].cell[i] = cell % 5 == 0 ? 0 : cell % 5 == 1 ? mt::kWhite : level[0];
        for (int q = 0; q < 4; ++q) wanted[cell].quadrant[q][i] = level[1 + q];
      }
    const int32_t tolerance = which == 0 ? 12 << mt::kLevelBits : which == 1 ? 1 << 30 : 0;
    const int32_t share = which == 0 ? mt::kWholeMap / 2 : which == 1 ? 0 : mt::kWholeMap;
    // Every other cell, from the last one on; all cells.
    std::vector<int32_t> list;
    for (int cell = s.cells() - 1; cell >= 0; cell -= 2) list.push_back(cell);
    return {{m.holding(case_cells(s)), which == 0 ? m.holding(list) : nullptr, m.holding(wanted),
             tolerance, share, which == 0 ? mt::kWholeMap * 3 / 4 : mt::kWholeMap,
             m.planes(s.width, s.height), m.planes(s.width, s.height)},
            which == 0 ? static_cast<int>(list.size()) : s.cells(),
            3 * 3 * s.pixels()};  // read twice, written
  }
};

}  // namespace test
