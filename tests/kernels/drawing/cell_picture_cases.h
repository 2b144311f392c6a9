// SPDX-License-Identifier: LGPL-2.1-or-later
// Launches of the kernels that shrink and enlarge pictures of cells; included by kernel_cases.h.
#pragma once

#include <vector>

#include "kernels/drawing/cell_pictures.h"
#include "tests/kernels/case.h"
#include "tests/kernels/drawing/correction_cases.h"
#include "tests/kernels/kernel_memory.h"

namespace test {

template <>
struct Cases<mt::ShrinkCells> {
  static constexpr int kCount = 1;
  static Launch<mt::ShrinkCells> make(KernelMemory& m, const CaseSize& s, int) {
    std::vector<int32_t> cells;
    for (int cell = s.cells() - 1; cell >= 0; cell -= 2) cells.push_back(cell);
    const size_t pixels = size_t{3} * s.area();
    return {{m.holding(cells), m.filled<uint8_t>(pixels * s.cells(), 256), s.side,
             m.zeroed<mt::CellPicture>(cells.size())},
            static_cast<int>(cells.size()),
            cells.size() * (pixels + sizeof(mt::CellPicture))};
  }
};

template <>
struct Cases<mt::EnlargeCells> {
  static constexpr int kCount = 1;
  static Launch<mt::EnlargeCells> make(KernelMemory& m, const CaseSize& s, int) {
    std::vector<mt::CellPaint> paint;
    for (const mt::CellRect& at : case_cells(s))
      paint.push_back({at, s.cells() - 1 - static_cast<int>(paint.size()), 0, 0.0f});
    std::vector<mt::CellPicture> pictures(s.cells());
    const auto levels = m.values<uint8_t>(pictures.size() * 3 * mt::kCellPicturePixels, 256);
    for (size_t i = 0; i < levels.size(); ++i)
      pictures[i / (3 * mt::kCellPicturePixels)]
          .plane[i / mt::kCellPicturePixels % 3][i % mt::kCellPicturePixels] = levels[i];
    return {{m.holding(paint), m.holding(pictures), m.planes(s.width, s.height)},
            s.cells(),
            3 * s.pixels() + pictures.size() * sizeof(mt::CellPicture)};
  }
};

}  // namespace test
