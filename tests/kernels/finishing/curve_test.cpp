// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/finishing/curve.h"

#include <gtest/gtest.h>

#include <vector>

#include "cpu/cpu_executor.h"
#include "tests/kernels/pictures.h"

namespace {

TEST(Curve, ReplacesEachLevelByThatOfTheTable) {
  const auto executor = mt::make_cpu_executor(1);
  std::vector<int32_t> curve(256);
  for (int i = 0; i < 256; ++i) curve[i] = (i * 167 + 13) % 256;  // every level once, in no order
  test::for_each_picture([&](test::HostPicture& from, const test::Parts& parts) {
    test::HostPicture to(from.size());
    executor->launch(
        mt::Curve{parts.rows(), curve.data(), test::planes_of(from), test::planes_of(to)},
        parts.count());
    test::expect_equal(to, parts, [&](int x, int y) {
      const test::Colour in = test::colour_at(from, x, y);
      return test::Colour{double(curve[int(in[0])]), double(curve[int(in[1])]),
                          double(curve[int(in[2])])};
    });
  });
}

}  // namespace
