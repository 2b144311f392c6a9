// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/finishing/frequency.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cpu/cpu_executor.h"
#include "tests/kernels/colours.h"
#include "tests/kernels/math/blurred.h"
#include "tests/kernels/pictures.h"

namespace {

/// 1.08 (level - low) + 1.03 (low - 128) + 128 in units of 2^-16: with fine = 1.08 and
/// blurred = 1.08 - 1.03.
constexpr mt::FrequencyGains kGains{70779, 3277, -251658};

TEST(Frequency, AmplifiesDetailAndMarksSkin) {
  const auto executor = mt::make_cpu_executor(1);
  bool any_skin = false;
  test::for_each_picture([&](test::HostPicture& from, const test::Parts& parts) {
    for (const bool mark : {true, false}) {
      test::HostPicture to(from.size()), skin(from.size());
      test::HostPlanes<uint16_t> rows(from.size(), [](int c, int x, int y) {
        return std::min(65280, 256 * test::noise_level(c, x, y) + 3 * x);
      });
      executor->launch(mt::Frequency{parts.rows(),
                                     executor->tables(),
                                     kGains,
                                     test::kBlurWeights,
                                     test::planes_of(from),
                                     {{rows.plane(0), rows.plane(1), rows.plane(2)}, rows.stride()},
                                     test::planes_of(to),
                                     mark ? skin.plane(0) : nullptr},
                       parts.count());
      const auto expected = [&](int x, int y) {
        test::Colour out;
        for (int c = 0; c < 3; ++c) {
          const double low = test::blurred_down(rows, c, x, y);
          const double v = from.at(c, x, y) * double{kGains.fine} -
                           std::floor(low * kGains.blurred / 256) + kGains.grey;
          out[c] = std::clamp(std::floor(v / 65536), 0.0, 255.0);
        }
        return out;
      };
      test::expect_equal(to, parts, expected);
      for (int y = 0; y < from.size().height; ++y)
        for (int x = 0; x < from.size().width; ++x) {
          const bool is_skin = test::is_skin(test::colour_at(to, x, y));
          const int marked = mark && parts.contain(x, y) ? 255 * is_skin : test::kUntouched;
          any_skin |= marked == 255;
          ASSERT_EQ(marked, skin.at(0, x, y)) << x << ", " << y;
        }
    }
  });
  EXPECT_TRUE(any_skin);
}

}  // namespace
