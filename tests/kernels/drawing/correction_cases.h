// SPDX-License-Identifier: LGPL-2.1-or-later
// Launches of the kernels that correct the colours of cells; included by kernel_cases.h.
#pragma once

#include "kernels/drawing/cell_correction.h"
#include "tests/kernels/case.h"
#include "tests/kernels/kernel_memory.h"

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
  /// Some cells, with a tolerance of 12 levels and half of the quadrants' correction, and among
  /// them some with all of it; all cells with next to no correction; all cells with all of it.
  static Launch<mt::CorrectCells> make(KernelMemory& m, const CaseSize& s, int which) {
    std::vector<mt::CellMeans> wanted(s.cells());
    const auto levels = m.values<int32_t>(wanted.size() * 15, mt::kWhite + 1);
    for (size_t cell = 0; cell < wanted.size(); ++cell)
      for (int i = 0; i < 3; ++i) {
        const int32_t* level = &levels[cell * 15 + i * 5];
        wanted[cell].cell[i] = cell % 5 == 0 ? 0 : cell % 5 == 1 ? mt::kWhite : level[0];
        for (int q = 0; q < 4; ++q) wanted[cell].quadrant[q][i] = level[1 + q];
      }
    constexpr mt::Correction kPart = {12 << mt::kLevelBits, mt::kWholeMap / 2,
                                      mt::kWholeMap * 3 / 4};
    constexpr mt::Correction kNone = {1 << 30, 0, mt::kWholeMap};
    constexpr mt::Correction kAll = {0, mt::kWholeMap, mt::kWholeMap};
    // Every other cell, from the last one on; all cells.
    std::vector<int32_t> list;
    for (int cell = s.cells() - 1; cell >= 0; cell -= 2) list.push_back(cell);
    std::vector<uint8_t> kinds(s.cells());
    if (which == 0)
      for (int cell = 0; cell < s.cells(); ++cell) kinds[cell] = cell % 3 == 0;
    return {{m.holding(case_cells(s)),
             which == 0 ? m.holding(list) : nullptr,
             m.holding(wanted),
             m.holding(kinds),
             {which == 0   ? kPart
              : which == 1 ? kNone
                           : kAll,
              kAll},
             m.planes(s.width, s.height),
             m.planes(s.width, s.height)},
            which == 0 ? static_cast<int>(list.size()) : s.cells(),
            3 * 3 * s.pixels()};  // read twice, written
  }
};

}  // namespace test
