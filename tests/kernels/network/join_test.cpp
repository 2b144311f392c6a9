// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/network/join.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cpu/cpu_executor.h"
#include "tests/kernels/network/layers.h"

namespace {

/// To the nearest integer, halves away from 0.
double nearest(double v) {
  return v < 0 ? -std::floor(0.5 - v) : std::floor(v + 0.5);
}

TEST(AddWindow, AddsWeightedFlowInWholeUnits) {
  const auto executor = mt::make_cpu_executor(1);
  constexpr int kWidth = 13, kHeight = 7, kPitch = 16, kFrame = 20;
  for (const float most : {0.01f, 3.0f, 32768.0f})
    test::for_each_content(most, [&](const char* what, auto value) {
      std::vector<float> flow(2 * kPitch * kHeight);
      for (size_t i = 0; i < flow.size(); ++i) flow[i] = value(static_cast<int>(i));
      flow[3] = 2.5f / 256;  // halves
      flow[4] = -2.5f / 256;
      std::vector<uint16_t> columns(kWidth), rows(kHeight);
      for (int x = 0; x < kWidth; ++x) columns[x] = static_cast<uint16_t>(16384 - 1000 * x);
      for (int y = 0; y < kHeight; ++y) rows[y] = static_cast<uint16_t>(16384 * y / (kHeight - 1));
      std::vector<int64_t> sums(2 * kFrame * kHeight);
      for (size_t i = 0; i < sums.size(); ++i) sums[i] = int64_t(i) * 1000003 - 50;
      const std::vector<int64_t> before = sums;
      executor->launch(mt::AddWindow{flow.data(), kPitch, kWidth, kHeight, columns.data(),
                                     rows.data(), sums.data(), kFrame},
                       kHeight);
      for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kFrame; ++x)
          for (int c = 0; c < 2; ++c) {
            const int at = 2 * (y * kFrame + x) + c;
            int64_t added = 0;
            if (x < kWidth)
              added = static_cast<int64_t>(nearest(flow[2 * (y * kPitch + x) + c] * 256.0)) *
                      rows[y] * columns[x];
            ASSERT_EQ(before[at] + added, sums[at]) << what << " " << x << ", " << y;
          }
    });
}

TEST(JoinWindows, DividesByTheSumOfTheWeights) {
  const auto executor = mt::make_cpu_executor(1);
  constexpr int kWidth = 13, kHeight = 3;
  constexpr int64_t kAll = int64_t{1} << 28;
  std::vector<int64_t> sums(2 * kWidth * kHeight);
  const int64_t values[] = {0,
                            1,
                            -1,
                            kAll / 2,
                            kAll / 2 - 1,
                            -kAll / 2,
                            -kAll / 2 + 1,
                            7 * kAll,
                            -7 * kAll - 9,
                            kAll * 8388608};
  for (size_t i = 0; i < sums.size(); ++i) sums[i] = values[i % 10] + int64_t(i / 10) * kAll;
  const std::vector<int64_t> before = sums;
  std::vector<int32_t> flow(sums.size(), -7);
  executor->launch(mt::JoinWindows{sums.data(), kWidth, flow.data()}, kHeight);
  for (size_t i = 0; i < sums.size(); ++i) {
    EXPECT_EQ(nearest(double(before[i]) / double(kAll)), flow[i]) << before[i];
    EXPECT_EQ(0, sums[i]);
  }
}

}  // namespace
