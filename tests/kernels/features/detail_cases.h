// SPDX-License-Identifier: LGPL-2.1-or-later
// Launches of the kernels that find edges and detail; included by kernel_cases.h.
#pragma once

#include "kernels/all/kernels.h"
#include "tests/kernels/case.h"
#include "tests/kernels/kernel_memory.h"

namespace test {

/// The result of AnyChanged: in case 1 nothing changed, so that kernels write nothing.
inline const int32_t* any_changed(KernelMemory& m, int which) {
  return m.holding(std::vector<int32_t>{which != 1});
}

inline mt::GrayView gray_view(KernelMemory& m, const CaseSize& s) {
  const int stride = KernelMemory::stride(s.width);
  return {m.filled<uint8_t>(size_t(stride) * s.height, 256), stride, s.width, s.height};
}

inline mt::CellLayout cell_layout(const CaseSize& s) {
  return {s.width, s.height, s.left(), s.top(), s.columns(), s.rows(), s.side};
}

inline mt::EdgeBits no_edges(KernelMemory& m, const CaseSize& s) {
  const int words = (s.width + 31) / 32;
  return {m.zeroed<uint32_t>(size_t(words + 2) * s.height), words};
}

/// Weak edges all over the frame, and strong edges in some of the 32-bit words.
inline void draw_edges(KernelMemory& m, const CaseSize& s, mt::EdgeBits& weak,
                       mt::EdgeBits& edges) {
  const int words = (s.width + 31) / 32;
  const auto density = m.values<uint16_t>(size_t{8} * words * s.height, 65536);
  std::vector<uint32_t> weak_bits(size_t(words + 2) * s.height), strong_bits(weak_bits.size());
  for (int i = 0; i < words * s.height; ++i) {
    const uint16_t* d = &density[size_t{8} * i];
    const uint32_t inside =
        i % words == words - 1 && s.width % 32 ? (uint32_t{1} << s.width % 32) - 1 : ~uint32_t{0};
    const size_t at = size_t(words + 2) * (i / words) + 1 + i % words;
    weak_bits[at] = (d[0] | d[1] << 16) & (d[2] | d[3] << 16 | 0x30c3u) & inside;
    strong_bits[at] = d[4] % 8 == 0 ? weak_bits[at] & (d[5] | d[6] << 16) : 0;
  }
  weak = {m.holding(weak_bits), words};
  edges = {m.holding(strong_bits), words};
}

template <>
struct Cases<mt::AnyChanged> {
  static constexpr int kCount = 2;
  static Launch<mt::AnyChanged> make(KernelMemory& m, const CaseSize&, int which) {
    constexpr int kCells = 700;  // more than a block has threads
    return {{which ? m.zeroed<uint8_t>(kCells) : m.filled<uint8_t>(kCells, 2), kCells,
             m.zeroed<int32_t>(1)},
            1,
            kCells};
  }
};

template <>
struct Cases<mt::ToGray> {
  static constexpr int kCount = 2;
  static Launch<mt::ToGray> make(KernelMemory& m, const CaseSize& s, int which) {
    const mt::Planes from = m.planes(s.width, s.height);
    return {{any_changed(m, which), from, m.zeroed<uint8_t>(size_t(from.stride) * s.height)},
            s.height,
            4 * s.pixels()};
  }
};

template <>
struct Cases<mt::GaussianBlur> {
  static constexpr int kCount = 2;
  static Launch<mt::GaussianBlur> make(KernelMemory& m, const CaseSize& s, int which) {
    const int stride = s.width + 2;
    return {{any_changed(m, which), gray_view(m, s), m.zeroed<uint8_t>(size_t(stride) * s.height),
             stride},
            s.height,
            2 * s.pixels()};
  }
};

template <>
struct Cases<mt::LaplacianParts> {
  static constexpr int kCount = 2;
  static Launch<mt::LaplacianParts> make(KernelMemory& m, const CaseSize& s, int which) {
    const mt::CellLayout layout = cell_layout(s);
    const int stride = s.width + 2;
    const size_t parts = size_t(layout.strips()) * s.columns();
    return {{any_changed(m, which), layout, m.filled<uint8_t>(size_t(stride) * s.height, 256),
             stride, m.zeroed<mt::LaplacianPart>(parts)},
            layout.strips(),
            s.pixels() + parts * sizeof(mt::LaplacianPart)};
  }
};

template <>
struct Cases<mt::SobelGradients> {
  static constexpr int kCount = 2;
  static Launch<mt::SobelGradients> make(KernelMemory& m, const CaseSize& s, int which) {
    const mt::GradientPlane to{m.zeroed<uint16_t>(size_t(s.width + 2) * (s.height + 2)),
                               s.width + 2};
    return {{any_changed(m, which), gray_view(m, s), to}, s.height, 3 * s.pixels()};
  }
};

template <>
struct Cases<mt::ThinEdges> {
  static constexpr int kCount = 2;
  static Launch<mt::ThinEdges> make(KernelMemory& m, const CaseSize& s, int which) {
    const size_t gradients = size_t(s.width + 2) * (s.height + 2);
    const mt::GradientPlane from{m.filled<uint16_t>(gradients, 4 * 300), s.width + 2};
    return {{any_changed(m, which), from, s.width, no_edges(m, s), no_edges(m, s)},
            s.height,
            2 * s.pixels()};
  }
};

template <>
struct Cases<mt::Hysteresis> {
  static constexpr int kCount = 3;  ///< within strips; across their borders; nothing changed
  static Launch<mt::Hysteresis> make(KernelMemory& m, const CaseSize& s, int which) {
    mt::Hysteresis h{};
    h.any = any_changed(m, which == 2);
    draw_edges(m, s, h.weak, h.edges);
    h.height = s.height;
    h.across = which == 1;
    const size_t words = size_t(h.edges.words) * s.height;
    uint32_t* lists = m.scratch<uint32_t>(3 * words);
    h.scratch = {{lists, lists + words}, lists + 2 * words, m.zeroed<int32_t>(words)};
    const int strips = (s.height + mt::Hysteresis::kRows - 1) / mt::Hysteresis::kRows;
    return {h, h.across ? 1 : strips, words * 3 * sizeof(uint32_t)};
  }
};

template <>
struct Cases<mt::SumDetail> {
  static constexpr int kCount = 2;
  static Launch<mt::SumDetail> make(KernelMemory& m, const CaseSize& s, int which) {
    const mt::CellLayout layout = cell_layout(s);
    mt::EdgeBits weak, edges;
    draw_edges(m, s, weak, edges);
    const size_t numbers = size_t{2} * layout.strips() * s.columns();
    const int32_t* parts = m.filled<int32_t>(numbers, 1021);
    return {{any_changed(m, which), layout, weak, reinterpret_cast<const mt::LaplacianPart*>(parts),
             m.zeroed<mt::CellDetail>(s.cells())},
            s.cells(),
            s.pixels() / 8 + numbers * sizeof(int32_t) + s.cells() * sizeof(mt::CellDetail)};
  }
};

}  // namespace test
