// SPDX-License-Identifier: LGPL-2.1-or-later
// The arrangement of feature maps; network_test.cpp compares LookUp, which reads them.
#include "kernels/network/correlation.h"

#include <gtest/gtest.h>

#include <vector>

#include "cpu/cpu_executor.h"
#include "tests/kernels/network/layers.h"

namespace {

using test::HostLayer;
using test::kBatch;

constexpr int kChannels = 128, kEdge = 8;

/// A level and its memory: [pictures][height][kChannels][kEdge + width + kEdge], zeros at the
/// edges.
struct HostLevel {
  HostLevel(int w, int h)
      : width(w), height(h), values(size_t(kBatch) * h * kChannels * (w + 2 * kEdge)) {}
  mt::FeatureLevel level() { return {values.data(), width, height}; }
  float& at(int picture, int y, int x, int c) {
    return values[((size_t(picture) * height + y) * kChannels + c) * (width + 2 * kEdge) + kEdge +
                  x];
  }
  bool edges_are_empty() {
    for (size_t i = 0; i < values.size(); ++i) {
      const int x = static_cast<int>(i % (width + 2 * kEdge)) - kEdge;
      if ((x < 0 || x >= width) && values[i] != 0) return false;
    }
    return true;
  }
  int width, height;
  std::vector<float> values;
};

TEST(SpreadFeatures, PutsThePixelsOfAChannelSideBySide) {
  const auto executor = mt::make_cpu_executor(1);
  for (const int width : {1, 13, 40})
    test::for_each_content(100, [&](const char* what, auto value) {
      const HostLayer in(width, 3, kChannels, 1, value);
      HostLevel out(width, 3);
      executor->launch(mt::SpreadFeatures{in.layer(), out.level()}, in.rows());
      test::for_each_value(in, [&](int p, int y, int x, int c) {
        ASSERT_EQ(in.at(p, y, x, c), out.at(p, y, x, c)) << what;
      });
      EXPECT_TRUE(out.edges_are_empty());
    });
}

TEST(HalveFeatures, AveragesFourPixels) {
  const auto executor = mt::make_cpu_executor(1);
  for (const int width : {2, 13, 40})
    for (const int height : {2, 7})
      test::for_each_content(100, [&](const char* what, auto value) {
        HostLevel in(width, height), out(width / 2, height / 2);
        const HostLayer values(width, height, kChannels, 0, value);
        test::for_each_value(values, [&](int p, int y, int x, int c) {
          in.at(p, y, x, c) = static_cast<float>(values.at(p, y, x, c));
        });
        executor->launch(mt::HalveFeatures{in.level(), out.level()}, kBatch * out.height);
        test::for_each_value(HostLayer(out.width, out.height, kChannels),
                             [&](int p, int y, int x, int c) {
                               double sum = 0;
                               for (int k = 0; k < 4; ++k)
                                 sum += values.at(p, 2 * y + k / 2, 2 * x + k % 2, c);
                               ASSERT_NEAR(sum / 4, out.at(p, y, x, c), 2e-5) << what;
                             });
        EXPECT_TRUE(out.edges_are_empty());
      });
}

}  // namespace
