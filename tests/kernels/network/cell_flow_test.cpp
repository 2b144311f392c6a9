// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/network/cell_flow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "cpu/cpu_executor.h"

namespace {

constexpr int kWidth = 97, kHeight = 45, kColumns = 6, kRows = 3, kSamples = 8;
constexpr double kCellWidth = 97 / 6.0, kCellHeight = 15;

/// Flow to the frame before or from it, in 1/256 pixels.
using Flow = std::vector<int32_t>;
using Value = std::function<int(int x, int y, int c)>;
Flow flow_of(const Value& value) {
  Flow flow;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (int c = 0; c < 2; ++c) flow.push_back(value(x, y, c));
  return flow;
}

int place(int sample, int of, int size) {
  return static_cast<int>((sample + 0.5) * size / of);
}

mt::CellMotion expected_motion(const Flow& backward, const Flow& forward, int cell) {
  double count = 0, sum_x = 0, sum_y = 0;
  for (int i = 0; i < kSamples * kSamples; ++i) {
    const int x = place(cell % kColumns * kSamples + i % kSamples, kColumns * kSamples, kWidth);
    const int y = place(cell / kColumns * kSamples + i / kSamples, kRows * kSamples, kHeight);
    const double to_x = backward[2 * (y * kWidth + x)] / 256.0;
    const double to_y = backward[2 * (y * kWidth + x) + 1] / 256.0;
    const double there_x = x + std::round(to_x), there_y = y + std::round(to_y);
    if (there_x < 0 || there_x >= kWidth || there_y < 0 || there_y >= kHeight) continue;
    const int there = static_cast<int>(there_y) * kWidth + static_cast<int>(there_x);
    const double from_x = forward[2 * there] / 256.0, from_y = forward[2 * there + 1] / 256.0;
    const double off = std::pow(to_x + from_x, 2) + std::pow(to_y + from_y, 2);
    const double lengths = to_x * to_x + to_y * to_y + from_x * from_x + from_y * from_y;
    if (off >= 0.01 * lengths + 0.5) continue;
    ++count;
    sum_x += to_x;
    sum_y += to_y;
  }
  if (count < 16) return {0, 0, 0};
  // In 1/128 cells, the other way.
  return {static_cast<int>(std::round(-sum_x / count / kCellWidth * 128)),
          static_cast<int>(std::round(-sum_y / count / kCellHeight * 128)),
          static_cast<int>(255 * count / 64)};
}

TEST(CellFlow, IsTheMeanOfTheFlowThatLeadsBack) {
  const auto executor = mt::make_cpu_executor(1);
  std::vector<int32_t> xs, ys;
  for (int i = 0; i < kColumns * kSamples; ++i) xs.push_back(place(i, kColumns * kSamples, kWidth));
  for (int i = 0; i < kRows * kSamples; ++i) ys.push_back(place(i, kRows * kSamples, kHeight));
  const auto noise = [](int x, int y, int c, int most) {
    const uint32_t v = static_cast<uint32_t>(x + 211 * y + 10007 * c + 1) * 2654435761u;
    return static_cast<int>(v >> 9) % (2 * most + 1) - most;
  };
  struct Case {
    const char* name;
    Value backward, forward;
    bool known;  ///< whether the motion of some cell is known
  };
  const Case cases[] = {
      {"none", [](int, int, int) { return 0; }, [](int, int, int) { return 0; }, true},
      {"a shift", [](int, int, int c) { return c ? -900 : 1337; },
       [](int, int, int c) { return c ? 900 : -1337; }, true},
      {"a shift with noise", [&](int x, int y, int c) { return 1300 + noise(x, y, c, 90); },
       [&](int x, int y, int c) { return -1300 + noise(x, y, c + 2, 90); }, true},
      {"nearly half a pixel off", [](int, int, int) { return 0; },
       [](int x, int, int) { return x % 2 ? 128 : 127; }, true},
      {"a third of a cell", [](int x, int, int c) { return x % 16 < 5 && !c ? 256 : 0; },
       [](int x, int, int c) { return x % 16 < 5 && !c ? 900 : 0; }, true},
      {"far beyond the frame", [](int, int, int) { return 1 << 23; },
       [](int, int, int) { return -(1 << 23); }, false},
      {"contradictions", [](int x, int y, int) { return (x + y) % 2 ? 4000 : -4000; },
       [](int, int, int) { return 4000; }, true},
      {"noise", [&](int x, int y, int c) { return noise(x, y, c, 3000); },
       [&](int x, int y, int c) { return noise(x, y, c + 2, 3000); }, false}};
  for (const Case& c : cases) {
    const Flow backward = flow_of(c.backward), forward = flow_of(c.forward);
    std::vector<mt::CellMotion> motion(kColumns * kRows, {7, 7, 7});
    executor->launch(mt::CellFlow{backward.data(), forward.data(), kWidth, kHeight, xs.data(),
                                  ys.data(), kColumns, 97, 6, 45, 3, motion.data()},
                     kColumns * kRows);
    bool known = false;
    for (int cell = 0; cell < kColumns * kRows; ++cell) {
      const mt::CellMotion expected = expected_motion(backward, forward, cell);
      EXPECT_EQ(expected.x, motion[cell].x) << c.name << ", cell " << cell;
      EXPECT_EQ(expected.y, motion[cell].y) << c.name << ", cell " << cell;
      EXPECT_EQ(expected.confidence, motion[cell].confidence) << c.name << ", cell " << cell;
      known |= motion[cell].confidence > 0;
    }
    EXPECT_EQ(c.known, known) << c.name;
  }
}

}  // namespace
