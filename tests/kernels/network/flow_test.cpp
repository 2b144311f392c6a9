// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/network/flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/cpu_executor.h"
#include "tests/kernels/network/layers.h"
#include "tests/kernels/pictures.h"

namespace {

using test::HostLayer;
using test::kBatch;

TEST(NetworkInput, MapsLevelsToMinusOneToOneAndRepeatsTheEdge) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_picture([&](test::HostPicture& from, const test::Parts&) {
    const test::Size size = from.size();
    for (const int more : {0, 7}) {
      HostLayer to(size.width + more, size.height + more, 3, 2, [](int) { return 9.0f; });
      const int picture = more ? 1 : 0;
      executor->launch(mt::NetworkInput{test::planes_of(from), to.layer(), picture},
                       to.layer().height);
      test::for_each_value(to, [&](int p, int y, int x, int c) {
        const double level = from.at(c, std::min(x, size.width - 1), std::min(y, size.height - 1));
        ASSERT_NEAR(p == picture ? level / 127.5 - 1 : 9, to.at(p, y, x, c), 2e-7)
            << x << ", " << y;
      });
      EXPECT_TRUE(to.border_is_empty());
    }
  });
}

/// Limited to 4096 in both directions.
double limited(double v) {
  return std::clamp(v, -4096.0, 4096.0);
}

TEST(MoveFlow, AddsTheChangeOrReplacesTheFlow) {
  const auto executor = mt::make_cpu_executor(1);
  constexpr int kWidth = 13, kHeight = 5, kChannel = 80, kStep = 16;
  test::for_each_content(5000, [&](const char* what, auto value) {
    for (const int which : {0, 1, 2}) {  // add; replace; replace by 0
      HostLayer flow(kWidth, kHeight, 2, 3, [&](int i) { return value(i + 7); });
      HostLayer motion(kWidth, kHeight, 96, 1, [](int) { return 3.0f; });
      const HostLayer before = flow, change(kWidth, kHeight, kStep, 0, value);
      std::vector<float> coarse(2 * kBatch * kWidth * kHeight, -1);
      executor->launch(mt::MoveFlow{which == 2 ? nullptr : change.layer().data, kStep, which == 0,
                                    flow.layer(), motion.layer(), kChannel, coarse.data()},
                       flow.rows());
      test::for_each_value(motion, [&](int p, int y, int x, int c) {
        if (c < kChannel || c >= kChannel + 2) {
          ASSERT_EQ(3, motion.at(p, y, x, c));
          return;
        }
        const int i = c - kChannel;
        const double v =
            (which == 0 ? before.at(p, y, x, i) : 0) + (which == 2 ? 0 : change.at(p, y, x, i));
        ASSERT_NEAR(v, flow.at(p, y, x, i), 1e-3) << what;  // the error of a sum of 10^4
        ASSERT_EQ(flow.at(p, y, x, i), motion.at(p, y, x, c)) << what;
        ASSERT_EQ(limited(flow.at(p, y, x, i)), coarse[2 * ((p * kHeight + y) * kWidth + x) + i]);
      });
      EXPECT_TRUE(flow.border_is_empty() && motion.border_is_empty());
    }
  });
}

TEST(EnlargeFlow, InterpolatesBetweenTheFirstAndTheLastPixel) {
  const auto executor = mt::make_cpu_executor(1);
  for (const test::Size size : {test::Size{2, 2}, {13, 5}, {60, 34}})
    test::for_each_content(40, [&](const char* what, auto value) {
      const HostLayer coarse(size.width, size.height, 2, 0, value);
      const int width = 8 * size.width, height = 8 * size.height;
      HostLayer out(width, height, 2);
      executor->launch(
          mt::EnlargeFlow{coarse.layer().data, size.width, size.height, out.layer().data},
          out.rows());
      test::for_each_value(out, [&](int p, int y, int x, int c) {
        const double u = double(x) * (size.width - 1) / (width - 1);
        const double v = double(y) * (size.height - 1) / (height - 1);
        double sum = 0;
        for (int row = static_cast<int>(v); row <= std::min<int>(v + 1, size.height - 1); ++row)
          for (int i = static_cast<int>(u); i <= std::min<int>(u + 1, size.width - 1); ++i)
            sum += (1 - std::abs(u - i)) * (1 - std::abs(v - row)) * coarse.at(p, row, i, c);
        // Places have an error of 2^-22 of the size, and a slope of at most 2 x 40 x 8.
        ASSERT_NEAR(8 * sum, out.at(p, y, x, c), 0.01) << what << " " << x << ", " << y;
      });
    });
}

}  // namespace
