// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/drawing/crossfade.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cpu/cpu_executor.h"
#include "tests/kernels/pictures.h"

namespace {

TEST(Crossfade, MixesEachCellWithItsOwnShare) {
  const auto executor = mt::make_cpu_executor(1);
  constexpr int kSide = 24;
  test::for_each_picture([&](test::HostPicture& old, const test::Parts&) {
    const test::Size size = old.size();
    test::HostPicture next(size,
                           [](int c, int x, int y) { return test::noise_level(c, y + 5, x); });
    test::HostPicture shown(size);
    // Cells that reach beyond the picture on every side; every fifth cell does not fade.
    std::vector<mt::FadingCell> cells;
    std::vector<int> shares;
    const int columns = size.width / kSide + 2, rows = size.height / kSide + 2;
    for (int i = 0; i < columns * rows; ++i) {
      const int share = i % 5 == 4 ? -1 : i % 5 == 3 ? 65536 : i * 7001 % 65537;
      shares.push_back(share);
      const mt::CellRect at{i % columns * kSide - 7, i / columns * kSide - 7, kSide, kSide};
      if (share >= 0) cells.push_back({at, share});
    }
    executor->launch(mt::Crossfade{cells.data(), test::planes_of(old), test::planes_of(next),
                                   test::planes_of(shown)},
                     static_cast<int>(cells.size()));
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
          const double share = shares[(y + 7) / kSide * columns + (x + 7) / kSide];
          const double mixed =
              (old.at(c, x, y) * (65536 - share) + next.at(c, x, y) * share) / 65536;
          ASSERT_EQ(share < 0 ? test::kUntouched : std::floor(mixed + 0.5), shown.at(c, x, y))
              << x << ", " << y;
        }
    EXPECT_TRUE(shown.padding_is_untouched());
  });
}

TEST(Crossfade, MixesLargeCells) {
  const auto executor = mt::make_cpu_executor(1);
  const test::Size size{301, 257};
  test::HostPicture old(size, test::noise_level), next(size, test::kPatterns[6].level), shown(size);
  const mt::FadingCell cell{{0, 0, size.width, size.height}, 20000};
  executor->launch(
      mt::Crossfade{&cell, test::planes_of(old), test::planes_of(next), test::planes_of(shown)}, 1);
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        ASSERT_EQ(
            std::floor((old.at(c, x, y) * 45536.0 + next.at(c, x, y) * 20000.0) / 65536 + 0.5),
            shown.at(c, x, y));
}

}  // namespace
