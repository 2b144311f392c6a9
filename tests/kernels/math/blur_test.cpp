// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/math/blur.h"

#include <gtest/gtest.h>

#include "cpu/cpu_executor.h"
#include "tests/kernels/math/blurred.h"
#include "tests/kernels/pictures.h"

namespace {

TEST(BlurRows, IsAWeightedMeanAlongTheRow) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_picture([&](test::HostPicture& from, const test::Parts& parts) {
    for (const int planes : {1, 3}) {
      test::HostPlanes<uint16_t> to(from.size());
      executor->launch(mt::BlurRows{parts.rows(),
                                    test::kBlurWeights,
                                    test::planes_of(from),
                                    planes,
                                    {{to.plane(0), to.plane(1), to.plane(2)}, to.stride()}},
                       parts.count());
      for (int c = 0; c < 3; ++c)
        for (int y = 0; y < from.size().height; ++y)
          for (int x = 0; x < from.size().width; ++x) {
            const bool written = c < planes && parts.contain(x, y);
            const double expected = written ? test::blurred_along(from, c, x, y) : test::kUntouched;
            ASSERT_EQ(expected, to.at(c, x, y)) << x << ", " << y << ", plane " << c;
          }
      EXPECT_TRUE(to.padding_is_untouched());
    }
  });
}

}  // namespace
