// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/finishing/skin.h"

#include <gtest/gtest.h>

#include "cpu/cpu_executor.h"
#include "tests/kernels/colours.h"
#include "tests/kernels/pictures.h"

namespace {

void expect_marks(mt::Executor& executor, test::HostPicture& from, const test::Parts& parts,
                  int& marks) {
  test::HostPicture skin(from.size());
  executor.launch(
      mt::MarkSkin{parts.rows(), executor.tables(), test::planes_of(from), skin.plane(0)},
      parts.count());
  for (int y = 0; y < from.size().height; ++y)
    for (int x = 0; x < from.size().width; ++x) {
      const bool is_skin = test::is_skin(test::colour_at(from, x, y));
      ASSERT_EQ(parts.contain(x, y) ? 255 * is_skin : test::kUntouched, skin.at(0, x, y))
          << int(from.at(0, x, y)) << ", " << int(from.at(1, x, y)) << ", "
          << int(from.at(2, x, y));
      marks += parts.contain(x, y) && is_skin;
    }
}

TEST(MarkSkin, FollowsTheLimitsInHsvAndYCrCb) {
  const auto executor = mt::make_cpu_executor(1);
  int marks = 0;
  test::for_each_picture([&](test::HostPicture& from, const test::Parts& parts) {
    expect_marks(*executor, from, parts, marks);
  });
  // Every third level of each channel.
  constexpr test::Size kAll{86 * 86, 86};
  test::HostPicture all(kAll, [](int c, int x, int y) {
    return 3 * (c == 0 ? y : c == 1 ? x / 86 : x % 86);
  });
  marks = 0;
  expect_marks(*executor, all, test::whole_picture(kAll), marks);
  EXPECT_GT(marks, 10000);
}

}  // namespace
