// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/drawing/mix_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cpu/cpu_executor.h"
#include "tests/kernels/pictures.h"

namespace {

TEST(MixRows, MixesWithOneShare) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_picture([&](test::HostPicture& a, const test::Parts&) {
    const test::Size size = a.size();
    test::HostPicture b(size, [](int c, int x, int y) { return test::noise_level(c, y + 5, x); });
    for (const int share : {0, 1, 12345, 32768, 65535, 65536}) {
      test::HostPicture mixed(size);
      executor->launch(
          mt::MixRows{test::planes_of(a), test::planes_of(b), test::planes_of(mixed), share},
          size.height);
      test::expect_equal(mixed, test::whole_picture(size), [&](int x, int y) {
        test::Colour out;
        for (int c = 0; c < 3; ++c)
          out[c] = std::floor(
              (a.at(c, x, y) * (65536.0 - share) + b.at(c, x, y) * double(share) + 32768) / 65536);
        return out;
      });
    }
  });
}

}  // namespace
