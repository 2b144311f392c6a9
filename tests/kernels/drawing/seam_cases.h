// SPDX-License-Identifier: LGPL-2.1-or-later
// Launches of the kernels that soften the borders of cells; included by kernel_cases.h.
#pragma once

#include "kernels/all/kernels.h"
#include "tests/kernels/case.h"
#include "tests/kernels/kernel_memory.h"

namespace test {

/// Three planes of numbers below `below`, without gaps between rows.
template <class T>
mt::NumberPlanes<T> numbers(KernelMemory& m, int width, int height, int below) {
  const size_t plane = size_t(width) * height;
  T* first = m.filled<T>(3 * plane, below);
  return {{first, first + plane, first + 2 * plane}, width, width, height};
}

template <>
struct Cases<mt::HalvePicture> {
  static constexpr int kCount = 1;
  static Launch<mt::HalvePicture> make(KernelMemory& m, const CaseSize& s, int) {
    const int width = (s.width + 1) / 2, height = (s.height + 1) / 2;
    return {{m.planes(s.width, s.height), numbers<uint16_t>(m, width, height, 1)},
            height,
            3 * s.pixels() + 6 * size_t(width) * height};
  }
};

template <>
struct Cases<mt::QuarterPicture> {
  static constexpr int kCount = 1;
  static Launch<mt::QuarterPicture> make(KernelMemory& m, const CaseSize& s, int) {
    const int width = (s.width + 1) / 2, height = (s.height + 1) / 2;
    return {{numbers<uint16_t>(m, width, height, 65281),
             numbers<int32_t>(m, (width + 1) / 2, (height + 1) / 2, 1)},
            (height + 1) / 2,
            6 * size_t(width) * height};
  }
};

template <>
struct Cases<mt::CoarseSeams> {
  static constexpr int kCount = 1;
  static Launch<mt::CoarseSeams> make(KernelMemory& m, const CaseSize& s, int) {
    const int width = (s.width + 1) / 2, height = (s.height + 1) / 2;
    const auto half = numbers<uint16_t>(m, width, height, 65281);
    const auto quarter = numbers<int32_t>(m, (width + 1) / 2, (height + 1) / 2, 65281 * 256);
    const uint16_t* mask = m.filled<uint16_t>(size_t(width) * height, (1 << mt::kSeamBits) + 1);
    return {{half, quarter, mask, numbers<int32_t>(m, width, height, 1)},
            height,
            size_t(width) * height * (6 + 3 + 2 + 12)};
  }
};

template <>
struct Cases<mt::Seams> {
  static constexpr int kCount = 2;
  static Launch<mt::Seams> make(KernelMemory& m, const CaseSize& s, int which) {
    const int width = (s.width + 1) / 2, height = (s.height + 1) / 2;
    const mt::Planes from = m.planes(s.width, s.height);
    const auto half = numbers<uint16_t>(m, width, height, 65281);
    const auto coarse = numbers<int32_t>(m, width, height, 26000);
    const uint16_t* mask =
        m.filled<uint16_t>(size_t(from.stride) * s.height, (1 << mt::kSeamBits) + 1);
    return {{from, half, coarse, mask, which == 0, m.planes(s.width, s.height)},
            s.height,
            s.pixels() * 8 + size_t(width) * height * 18};
  }
};

}  // namespace test
