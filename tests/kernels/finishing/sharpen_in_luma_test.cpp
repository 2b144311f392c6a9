// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/finishing/sharpen_in_luma.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cpu/cpu_executor.h"
#include "tests/kernels/finishing/unsharp.h"
#include "tests/kernels/math/blurred.h"
#include "tests/kernels/pictures.h"

namespace {

constexpr mt::FrequencyGains kGains{69206, 1966, -150995};

/// Moves the luma of a colour back by `most` / 256 of what it has changed, where there is skin.
test::Colour restored(const test::Colour& now, const test::Colour& before, double skin,
                      double most) {
  const double share = std::floor(skin * most / 65280);
  const double level = test::gray8_of(before);
  const double old = std::clamp(
      std::floor((level * kGains.fine - level * kGains.blurred + kGains.grey) / 65536), 0.0, 255.0);
  const double add = std::trunc(((old - test::gray8_of(now)) * share + 128) / 256);
  test::Colour out;
  for (int c = 0; c < 3; ++c) out[c] = std::clamp(now[c] + add, 0.0, 255.0);
  return out;
}

TEST(SharpenInLuma, SharpensAndRestoresTheLumaOfSkin) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_picture([&](test::HostPicture& from, const test::Parts& parts) {
    test::HostPlanes<uint16_t> rows(from.size(), test::skin_rows_level);
    test::HostPicture before(from.size(),
                             [](int c, int x, int y) { return test::noise_level(c, y, x + 9); });
    for (const int which : {0, 1, 2}) {  // with skin; too little of it; no marks
      test::HostPicture to(from.size());
      const mt::GradeMeans means{0, 0, which == 0, 0};
      mt::SharpenInLuma kernel{};
      kernel.rows = parts.rows();
      kernel.mask = {0.28f, test::planes_of(from), test::planes_of(to)};
      kernel.skin_luma = 166;
      kernel.weights = test::kBlurWeights;
      kernel.skin_rows = which == 2 ? nullptr : rows.plane(0);
      kernel.means = &means;
      kernel.gains = kGains;
      kernel.before = test::planes_of(before);
      executor->launch(kernel, parts.count());
      test::expect_equal(to, parts, [&](int x, int y) {
        const test::Colour rgb = test::sharpened(from, x, y, double{0.28f});
        return which ? rgb
                     : restored(rgb, test::colour_at(before, x, y),
                                test::blurred_down(rows, 0, x, y), kernel.skin_luma);
      });
    }
  });
}

}  // namespace
