// SPDX-License-Identifier: LGPL-2.1-or-later
// The kernels of cell_detail.h that tests/mosaic/analysis/detail_test.cpp does not compare with a
// naive implementation.
#include "kernels/features/cell_detail.h"

#include <gtest/gtest.h>

#include <vector>

#include "cpu/cpu_executor.h"
#include "tests/kernels/colours.h"
#include "tests/kernels/pictures.h"

namespace {

TEST(AnyChanged, FindsASingleCell) {
  const auto executor = mt::make_cpu_executor(1);
  for (const int cells : {1, 7, 1000})
    for (int which = -1; which < cells; which += which < 0 ? 1 : (cells + 5) / 6) {
      std::vector<uint8_t> changed(cells);
      if (which >= 0) changed[which] = 1;
      int32_t any = 7;
      executor->launch(mt::AnyChanged{changed.data(), cells, &any}, 1);
      EXPECT_EQ(which >= 0, any) << which << " of " << cells;
    }
  const std::vector<uint8_t> all(100, 1);
  int32_t any = 7;
  executor->launch(mt::AnyChanged{all.data(), 100, &any}, 1);
  EXPECT_EQ(1, any);
}

TEST(ToGray, IsLumaWithOpenCvsRounding) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_picture([&](test::HostPicture& from, const test::Parts&) {
    const test::Size size = from.size();
    for (const int32_t any : {1, 0}) {
      test::HostPicture to(size);
      executor->launch(mt::ToGray{&any, test::planes_of(from), to.plane(0)}, size.height);
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
          ASSERT_EQ(any ? test::gray8_of(test::colour_at(from, x, y)) : test::kUntouched,
                    to.at(0, x, y));
      EXPECT_TRUE(to.padding_is_untouched());
    }
  });
}

}  // namespace
