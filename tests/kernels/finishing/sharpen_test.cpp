// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/finishing/sharpen.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cpu/cpu_executor.h"
#include "tests/kernels/finishing/unsharp.h"
#include "tests/kernels/pictures.h"

namespace {

mt::Sharpen sharpen(mt::Executor& executor, const test::Parts& parts, test::HostPicture& from,
                    test::HostPicture& to, float strength) {
  mt::Sharpen kernel{};
  kernel.rows = parts.rows();
  kernel.tables = executor.tables();
  kernel.mask = {strength, test::planes_of(from), test::planes_of(to)};
  return kernel;
}

TEST(Sharpen, IsAnUnsharpMask) {
  const auto executor = mt::make_cpu_executor(1);
  const auto expect_sharpened = [&](test::HostPicture& from, const test::Parts& parts) {
    for (const float strength : {0.28f, 0.0f, 0.5f, 3.0f}) {
      test::HostPicture to(from.size());
      executor->launch(sharpen(*executor, parts, from, to, strength), parts.count());
      test::expect_equal(
          to, parts, [&](int x, int y) { return test::sharpened(from, x, y, double{strength}); });
    }
  };
  test::for_each_picture(expect_sharpened);
  test::HostPicture wide({2500, 3}, test::noise_level);  // more than are processed together
  expect_sharpened(wide, test::whole_picture(wide.size()));
}

TEST(Sharpen, RestoresTheLightnessOfSkin) {
  const auto executor = mt::make_cpu_executor(1);
  test::Differences differences;
  test::for_each_picture([&](test::HostPicture& from, const test::Parts& parts) {
    for (const int enough : {1, 0}) {
      test::HostPicture to(from.size());
      test::HostPicture before(from.size(),
                               [](int c, int x, int y) { return test::noise_level(c, y, x + 9); });
      test::HostPlanes<uint16_t> skin(from.size(), [](int, int x, int y) {
        return x % 5 == 0 ? 65280 : y % 5 == 0 ? 0 : test::noise_level(0, x, y) * 256;
      });
      const mt::GradeMeans means{0, 0, enough, 0};
      mt::Sharpen kernel = sharpen(*executor, parts, from, to, 0.28f);
      kernel.skin_lightness = 0.65f;
      kernel.skin = skin.plane(0);
      kernel.means = &means;
      kernel.before = test::planes_of(before);
      executor->launch(kernel, parts.count());
      const auto expected = [&](int x, int y) {
        const test::Colour rgb = test::sharpened(from, x, y, double{0.28f});
        if (!enough) return rgb;
        test::Colour lab = test::lab8_of(rgb);
        const double old = test::lab8_of(test::colour_at(before, x, y))[0];
        const double share = skin.at(0, x, y) / 65280.0 * double{0.65f};
        lab[0] = std::floor(lab[0] * (1 - share) + old * share);
        return test::rgb_of_lab8(lab);
      };
      if (enough)
        test::compare(to, parts, expected, differences);
      else
        test::expect_equal(to, parts, expected);
    }
  });
  // A level of L that is truncated differently, besides what rgb_of_lab8() says.
  test::expect_within(differences, {4, 0.08, 1e-4, 0.02});
}

}  // namespace
