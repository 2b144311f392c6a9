// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/math/blur.h"

#include "cpu/cpu_executor.h"
#include "tests/kernels/pictures.h"

namespace {

constexpr mt::BlurWeights kWeights{{5000, 4000, 3000, 2500, 2000, 1500, 500, 384}};

TEST(BlurRows, IsAWeightedMeanAlongTheRow) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_picture([&](test::HostPicture& from, const test::Parts& parts) {
    for (const int planes : {1, 3}) {
      test::HostPlanes<uint16_t> to(from.size());
      executor->launch(mt::BlurRows{parts.rows(),
                                    kWeights,
                                    test::planes_of(from),
                                    planes,
                                    {{to.plane(0), to.plane(1), to.plane(2)}, to.stride()}},
                       parts.count());
      for (int c = 0; c < 3; ++c)
        for (int y = 0; y < from.size().height; ++y)
          for (int x = 0; x < from.size().width; ++x) {
            double sum = 0;
            for (int k = -7; k <= 7; ++k)
              sum += kWeights.at[std::abs(k)] * double(from.reflected_at(c, x + k, y));
            const bool written = c < planes && parts.contain(x, y);
            const double expected =
                written ? std::floor(sum / 32768 * 256 + 0.5) : test::kUntouched;
            ASSERT_EQ(expected, to.at(c, x, y)) << x << ", " << y << ", plane " << c;
          }
      EXPECT_TRUE(to.padding_is_untouched());
    }
  });
}

}  // namespace
