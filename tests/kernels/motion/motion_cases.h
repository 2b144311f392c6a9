// SPDX-License-Identifier: LGPL-2.1-or-later
// Launches of the kernels that measure motion; included by kernel_cases.h.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/all/kernels.h"
#include "tests/kernels/case.h"
#include "tests/kernels/kernel_memory.h"

namespace test {

template <>
struct Cases<mt::CellSamples> {
  /// A picture as large as the frame; and one with fewer pixels than samples.
  static constexpr int kCount = 2;
  static Launch<mt::CellSamples> make(KernelMemory& m, const CaseSize& s, int which) {
    const int width = which ? (s.columns() * mt::kCellSamples + 2) / 3 : s.width;
    const int height = which ? (s.rows() * mt::kCellSamples + 1) / 2 : s.height;
    const auto x_at = spans(s.columns() * mt::kCellSamples, width);
    const auto y_at = spans(s.rows() * mt::kCellSamples, height);
    const size_t samples = x_at.size() * y_at.size();
    return {{m.filled<uint8_t>(size_t(width) * height, 256), width, m.holding(x_at),
             m.holding(y_at), m.zeroed<uint8_t>(samples), static_cast<int>(x_at.size())},
            static_cast<int>(y_at.size()),
            size_t(width) * height + samples};
  }

 private:
  static std::vector<mt::SampleSpan> spans(int count, int pixels) {
    std::vector<mt::SampleSpan> spans(count);
    for (int i = 0; i < count; ++i) {
      const int begin = i * mt::kSpanUnit * pixels / count;
      spans[i] = {begin, std::max(begin + 1, (i + 1) * mt::kSpanUnit * pixels / count)};
    }
    return spans;
  }
};

template <>
struct Cases<mt::BlockSearch> {
  /// Unrelated frames; motion that grows downwards; no motion, only noise.
  static constexpr int kCount = 3;
  static Launch<mt::BlockSearch> make(KernelMemory& m, const CaseSize& s, int which) {
    const int width = s.columns() * mt::kCellSamples, height = s.rows() * mt::kCellSamples;
    const auto last = m.values<uint8_t>(size_t(width) * height, 256);
    auto now = m.values<uint8_t>(last.size(), 256);
    for (int y = 0; which && y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int from = which == 1 ? std::min(width - 1, x + y % mt::BlockSearch::kMaxOffset) : x;
        const int noise = which == 1 ? 0 : now[size_t(y) * width + x] % 2;
        now[size_t(y) * width + x] =
            static_cast<uint8_t>(std::min(255, last[size_t(y) * width + from] + noise));
      }
    return {{m.holding(now), m.holding(last), s.columns(), s.rows(),
             m.zeroed<mt::CellMotion>(s.cells())},
            s.cells(),
            2 * now.size() + s.cells() * sizeof(mt::CellMotion)};
  }
};

}  // namespace test
