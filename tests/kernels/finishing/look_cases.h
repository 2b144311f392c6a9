// SPDX-License-Identifier: LGPL-2.1-or-later
// Launches of the kernels that finish a drawn mosaic; included by kernel_cases.h.
#pragma once

#include "kernels/all/kernels.h"
#include "tests/kernels/case.h"
#include "tests/kernels/kernel_memory.h"

namespace test {

/// Number of elements of one plane of KernelMemory::planes().
inline size_t plane_size(const CaseSize& s) {
  return size_t(KernelMemory::stride(s.width)) * s.height;
}

inline mt::WidePlanes wide_planes(KernelMemory& m, const CaseSize& s, int below) {
  const size_t plane = plane_size(s);
  uint16_t* first = m.filled<uint16_t>(3 * plane, below);
  return {{first, first + plane, first + 2 * plane}, KernelMemory::stride(s.width)};
}

inline constexpr mt::BlurWeights kBlur{{5000, 4000, 3000, 2500, 2000, 1500, 500, 384}};

/// Three parts of different sizes, one of them at the right edge.
constexpr int kParts = 3;
inline mt::PartRows parts_of(KernelMemory& m, const CaseSize& s) {
  const int height = (s.height + 1) / 2, x = s.width / 3;
  return {m.holding(std::vector<mt::CellRect>{{0, 0, x, height},
                                              {x, 1, s.width - x, height - 1},
                                              {x / 2, height, 1, s.height - height}}),
          height};
}
inline int part_rows(const CaseSize& s) {
  return kParts * ((s.height + 1) / 2);
}

template <>
struct Cases<mt::Curve> {
  static constexpr int kCount = 1;
  static Launch<mt::Curve> make(KernelMemory& m, const CaseSize& s, int) {
    return {{parts_of(m, s), m.filled<int32_t>(256, 256), m.planes(s.width, s.height),
             m.planes(s.width, s.height)},
            part_rows(s),
            6 * s.pixels()};
  }
};

template <>
struct Cases<mt::Tone> {
  static constexpr int kCount = 1;
  static Launch<mt::Tone> make(KernelMemory& m, const CaseSize& s, int) {
    return {{parts_of(m, s), m.tables(), m.filled<int32_t>(256, 256), m.planes(s.width, s.height),
             m.planes(s.width, s.height)},
            part_rows(s),
            6 * s.pixels()};
  }
};

/// CLAHE tiles that fit the picture, and ones that extend beyond it.
inline mt::EqualiseGrid equalise_grid(const CaseSize& s, int which) {
  const int tiles = which ? 5 : 16;
  return {tiles, s.width / tiles + 1, s.height / tiles + 1, which ? 0 : 3};
}

template <>
struct Cases<mt::EqualiseCurves> {
  static constexpr int kCount = 2;
  static Launch<mt::EqualiseCurves> make(KernelMemory& m, const CaseSize& s, int which) {
    const mt::EqualiseGrid grid = equalise_grid(s, which);
    const int tiles = grid.tiles * grid.tiles;
    const size_t levels = size_t{256} * tiles;
    const int32_t newest = (1 << mt::kNewestBits) / (which ? 7 : 1);
    return {{grid, m.planes(s.width, s.height), m.zeroed<int32_t>(levels),
             m.filled<int32_t>(levels, 255 << mt::kAverageBits), newest},
            tiles,
            s.pixels() + size_t{1024} * tiles};
  }
};

template <>
struct Cases<mt::Equalise> {
  static constexpr int kCount = 2;
  static Launch<mt::Equalise> make(KernelMemory& m, const CaseSize& s, int which) {
    const mt::EqualiseGrid grid = equalise_grid(s, which);
    return {{parts_of(m, s), m.tables(), grid,
             m.filled<int32_t>(size_t{256} * grid.tiles * grid.tiles, 256),
             m.planes(s.width, s.height), m.planes(s.width, s.height), which ? 0.4f : 1.0f},
            part_rows(s),
            6 * s.pixels()};
  }
};

template <>
struct Cases<mt::BlurRows> {
  static constexpr int kCount = 2;
  static Launch<mt::BlurRows> make(KernelMemory& m, const CaseSize& s, int which) {
    const int planes = which ? 1 : 3;
    return {{parts_of(m, s), kBlur, m.planes(s.width, s.height), planes, wide_planes(m, s, 1)},
            part_rows(s),
            3 * planes * s.pixels()};
  }
};

template <>
struct Cases<mt::Frequency> {
  static constexpr int kCount = 2;
  static Launch<mt::Frequency> make(KernelMemory& m, const CaseSize& s, int which) {
    return {{parts_of(m, s),
             m.tables(),
             {70779, 3277, -251658},
             kBlur,
             m.planes(s.width, s.height),
             wide_planes(m, s, 65281),
             m.planes(s.width, s.height),
             which ? nullptr : m.zeroed<uint8_t>(plane_size(s))},
            part_rows(s),
            12 * s.pixels()};
  }
};

template <>
struct Cases<mt::ChromaCounts> {
  static constexpr int kCount = 2;
  static Launch<mt::ChromaCounts> make(KernelMemory& m, const CaseSize& s, int which) {
    const int strips = (s.height + mt::ChromaCounts::kRows - 1) / mt::ChromaCounts::kRows;
    const size_t counts = size_t(strips) * mt::kChromaBins;
    return {{m.tables(), m.planes(s.width, s.height), which ? 4 : 1, m.zeroed<int32_t>(counts)},
            strips,
            3 * s.pixels() + 4 * counts};
  }
};

template <>
struct Cases<mt::ChromaPercentile> {
  static constexpr int kCount = 2;
  static Launch<mt::ChromaPercentile> make(KernelMemory& m, const CaseSize& s, int which) {
    const int strips = which ? 1 : (s.height + 31) / 32;
    const size_t counts = size_t(strips) * mt::kChromaBins;
    return {{which ? m.zeroed<int32_t>(counts) : m.filled<int32_t>(counts, 1000), strips,
             m.holding(std::vector<float>{0.2f}), which ? 0.15f : 1.0f},
            1,
            4 * counts};
  }
};

template <>
struct Cases<mt::Grade> {
  static constexpr int kCount = 2;
  static Launch<mt::Grade> make(KernelMemory& m, const CaseSize& s, int which) {
    mt::Grade grade{};
    grade.rows = parts_of(m, s);
    grade.tables = m.tables();
    grade.look = {0.5f, 2.0f, 1.6f, 1.06f, which ? 0.0f : 0.75f};
    grade.chroma = m.holding(std::vector<float>{0.2f});
    grade.from = m.planes(s.width, s.height);
    grade.to = m.planes(s.width, s.height);
    grade.weights = kBlur;
    grade.skin_rows = which ? nullptr : m.filled<uint16_t>(plane_size(s), 65281);
    grade.skin = m.zeroed<uint16_t>(plane_size(s));
    return {grade, part_rows(s), (which ? 6 : 10) * s.pixels()};
  }
};

template <>
struct Cases<mt::GradeSums> {
  static constexpr int kCount = 2;
  static Launch<mt::GradeSums> make(KernelMemory& m, const CaseSize& s, int which) {
    return {{m.tables(), m.planes(s.width, s.height),
             which ? nullptr : m.filled<uint16_t>(plane_size(s), 65281),
             m.zeroed<int64_t>(size_t{mt::GradeSums::kSums} * s.height)},
            s.height,
            (which ? 3 : 5) * s.pixels()};
  }
};

template <>
struct Cases<mt::MeanGrade> {
  static constexpr int kCount = 1;
  static Launch<mt::MeanGrade> make(KernelMemory& m, const CaseSize& s, int) {
    const size_t sums = size_t{mt::GradeSums::kSums} * s.height;
    return {{m.filled<int64_t>(sums, 1 << 20), s.height, static_cast<int64_t>(s.pixels()),
             m.holding(std::vector<mt::GradeMeans>{{100.0f, 90.0f, 0, 0}}), 0.15f},
            1,
            8 * sums};
  }
};

inline const mt::GradeMeans* grade_means(KernelMemory& m, bool skin) {
  return m.holding(std::vector<mt::GradeMeans>{{120.5f, 140.25f, skin, 0}});
}

template <>
struct Cases<mt::Harmony> {
  static constexpr int kCount = 1;
  static Launch<mt::Harmony> make(KernelMemory& m, const CaseSize& s, int) {
    return {{parts_of(m, s), m.tables(), grade_means(m, false), 0.1f, m.planes(s.width, s.height),
             m.planes(s.width, s.height)},
            part_rows(s),
            6 * s.pixels()};
  }
};

template <>
struct Cases<mt::MarkSkin> {
  static constexpr int kCount = 1;
  static Launch<mt::MarkSkin> make(KernelMemory& m, const CaseSize& s, int) {
    return {
        {parts_of(m, s), m.tables(), m.planes(s.width, s.height), m.zeroed<uint8_t>(plane_size(s))},
        part_rows(s),
        4 * s.pixels()};
  }
};

inline constexpr size_t kLutSize = size_t{mt::kLutNodes} * mt::kLutValues;
inline constexpr mt::LutLook kLutLook{
    {69206, 1966, -150995}, {0.5f, 2.0f, 1.6f, 1.06f, 0.75f}, 0.1f};

template <>
struct Cases<mt::SkinLut> {
  static constexpr int kCount = 1;
  static Launch<mt::SkinLut> make(KernelMemory& m, const CaseSize&, int) {
    return {{m.tables(), m.zeroed<uint16_t>(kLutSize)}, mt::kLutSide, kLutSize / 2};
  }
};

template <>
struct Cases<mt::SampleGrade> {
  static constexpr int kCount = 2;
  static Launch<mt::SampleGrade> make(KernelMemory& m, const CaseSize& s, int which) {
    const int step = which ? 3 : 1, rows = mt::samples(s.height, step);
    return {{m.tables(), kLutLook, m.holding(std::vector<float>{0.2f}), m.planes(s.width, s.height),
             step, m.zeroed<int64_t>(size_t{mt::GradeSums::kSums} * rows)},
            rows,
            3 * s.pixels() / step};
  }
};

template <>
struct Cases<mt::PlanLut> {
  static constexpr int kCount = 3;  ///< in any case; not; because a mean moved
  static Launch<mt::PlanLut> make(KernelMemory& m, const CaseSize&, int which) {
    const float a = which == 2 ? 122.0f : 120.25f;
    return {{m.holding(std::vector<float>{0.2f}), grade_means(m, true), which == 0,
             m.holding(std::vector<mt::LutState>{{0.201f, a, 140.0f, which != 0}})},
            1,
            sizeof(mt::LutState)};
  }
};

template <>
struct Cases<mt::FillLut> {
  static constexpr int kCount = 3;  ///< with harmony; without; nothing to do
  static Launch<mt::FillLut> make(KernelMemory& m, const CaseSize&, int which) {
    mt::LutLook look = kLutLook;
    if (which == 1) look.harmony = 0;
    return {{m.tables(), look,
             m.holding(std::vector<mt::LutState>{{0.2f, 120.5f, 140.25f, which != 2}}),
             m.filled<uint16_t>(kLutSize, 255 << mt::kLutBits)},
            mt::kLutSide,
            2 * kLutSize};
  }
};

template <>
struct Cases<mt::ApplyLut> {
  static constexpr int kCount = 2;
  static Launch<mt::ApplyLut> make(KernelMemory& m, const CaseSize& s, int which) {
    return {{parts_of(m, s), m.filled<uint16_t>(kLutSize, (511 << mt::kLutBits) + 1),
             m.planes(s.width, s.height), m.planes(s.width, s.height),
             which ? nullptr : m.zeroed<uint8_t>(plane_size(s))},
            part_rows(s),
            7 * s.pixels()};
  }
};

inline mt::UnsharpMask unsharp_mask(KernelMemory& m, const CaseSize& s) {
  const mt::Planes from = m.planes(s.width, s.height);
  return {0.28f, from, m.planes(s.width, s.height)};
}

template <>
struct Cases<mt::SharpenInLuma> {
  static constexpr int kCount = 3;  ///< with skin; without; with too little of it
  static Launch<mt::SharpenInLuma> make(KernelMemory& m, const CaseSize& s, int which) {
    mt::SharpenInLuma kernel{};
    kernel.rows = parts_of(m, s);
    kernel.mask = unsharp_mask(m, s);
    kernel.skin_luma = 166;
    kernel.weights = kBlur;
    kernel.skin_rows = which == 1 ? nullptr : m.filled<uint16_t>(plane_size(s), 65281);
    kernel.means = grade_means(m, which == 0);
    kernel.gains = kLutLook.gains;
    kernel.before = m.planes(s.width, s.height);
    return {kernel, part_rows(s), (which ? 6 : 11) * s.pixels()};
  }
};

template <>
struct Cases<mt::Sharpen> {
  static constexpr int kCount = 3;  ///< with skin; without; with too little of it
  static Launch<mt::Sharpen> make(KernelMemory& m, const CaseSize& s, int which) {
    return {{parts_of(m, s), m.tables(), unsharp_mask(m, s), 0.65f,
             which == 1 ? nullptr : m.filled<uint16_t>(plane_size(s), 65281),
             grade_means(m, which == 0), m.planes(s.width, s.height)},
            part_rows(s),
            (which ? 6 : 11) * s.pixels()};
  }
};

}  // namespace test
