// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/finishing/tone.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cpu/cpu_executor.h"
#include "tests/kernels/colours.h"
#include "tests/kernels/pictures.h"

namespace {

TEST(Tone, IsCielabOfTheCurvesLevels) {
  const auto executor = mt::make_cpu_executor(1);
  std::vector<int32_t> curve(256);
  for (int i = 0; i < 256; ++i)
    curve[i] = static_cast<int32_t>(std::lround(255 * std::pow(i / 255.0, 0.8)));
  test::for_each_picture([&](test::HostPicture& from, const test::Parts& parts) {
    test::HostPicture to(from.size());
    executor->launch(mt::Tone{parts.rows(), executor->tables(), curve.data(), test::planes_of(from),
                              test::planes_of(to)},
                     parts.count());
    test::expect_equal(to, parts, [&](int x, int y) {
      test::Colour rgb = test::colour_at(from, x, y);
      for (double& v : rgb) v = curve[static_cast<int>(v)];
      return test::lab8_of(rgb);
    });
  });
}

}  // namespace
