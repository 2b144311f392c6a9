// SPDX-License-Identifier: LGPL-2.1-or-later
// Launches that put patches of a codebook beside each other; included by kernel_cases.h.
#pragma once

#include "kernels/all/kernels.h"
#include "tests/kernels/case.h"
#include "tests/kernels/kernel_memory.h"

namespace test {

template <>
struct Cases<mt::Gather> {
  struct Shape {
    int planes, rows, run;  ///< of a patch
    bool wide;              ///< indices of 32 bits
  };
  /// Patches of 2x2 pixels, interleaved; in planes of floats; and of 5x3 pixels.
  static constexpr Shape kShapes[] = {{1, 2, 6, false}, {3, 2, 8, true}, {1, 3, 15, false}};
  static constexpr int kCount = std::size(kShapes);
  static Launch<mt::Gather> make(KernelMemory& m, const CaseSize& s, int which) {
    constexpr int kPictures = 2;
    const Shape& shape = kShapes[which];
    const int columns = (s.width + 1) / 2, rows = (s.height + 1) / 2;
    const size_t indices = size_t{kPictures} * rows * columns;
    const size_t patch = size_t(shape.planes) * shape.rows * shape.run;
    // The highest indices are too large.
    const int below = s.tiles + 2;
    return {{m.filled<uint8_t>(patch * s.tiles, 256),
             shape.wide ? nullptr : m.filled<uint16_t>(indices, below),
             shape.wide ? m.filled<uint32_t>(indices, below) : nullptr,
             static_cast<uint32_t>(s.tiles), rows, columns, shape.planes, shape.rows, shape.run,
             m.zeroed<uint8_t>(indices * patch), m.zeroed<int32_t>(size_t{kPictures} * rows)},
            kPictures * rows,
            indices * (patch + (shape.wide ? 4 : 2)) + patch * s.tiles};
  }
};

}  // namespace test
