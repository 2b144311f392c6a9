// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/finishing/harmony.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cpu/cpu_executor.h"
#include "tests/kernels/finishing/grading.h"
#include "tests/kernels/pictures.h"

namespace {

TEST(GradeSums, AreSumsOfAAndBAndSkinOfEachRow) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_picture([&](test::HostPicture& from, const test::Parts&) {
    const int height = from.size().height;
    test::HostPlanes<uint16_t> skin(from.size(),
                                    [](int, int x, int y) { return 65280 - 37 * x - 5 * y; });
    for (const bool with_skin : {true, false}) {
      std::vector<int64_t> sums(3 * height, -1);
      executor->launch(mt::GradeSums{executor->tables(), test::planes_of(from),
                                     with_skin ? skin.plane(0) : nullptr, sums.data()},
                       height);
      for (int y = 0; y < height; ++y) {
        double a = 0, b = 0, all_skin = 0;
        for (int x = 0; x < from.size().width; ++x) {
          const test::Colour lab = test::lab8_of(test::colour_at(from, x, y));
          a += lab[1];
          b += lab[2];
          all_skin += with_skin ? skin.at(0, x, y) : 0;
        }
        ASSERT_NEAR(a, double(sums[3 * y]), 1) << y;  // 1: see colours.h, cube roots
        ASSERT_NEAR(b, double(sums[3 * y + 1]), 1) << y;
        ASSERT_EQ(all_skin, double(sums[3 * y + 2])) << y;
      }
    }
  });
}

TEST(MeanGrade, AveragesTheMeansOverFramesAndFindsWhetherThereIsSkin) {
  const auto executor = mt::make_cpu_executor(1);
  struct Case {
    int rows;
    int64_t a, b, skin, pixels;  ///< of each row; of all rows
  };
  constexpr Case kCases[] = {{1, 0, 255, 0, 1},
                             {1, 2, 5, 65280, 100},  // exactly 1 %
                             {1, 2, 5, 0, 3},
                             {1, 255, 0, 65280, 1},
                             {40, 1234 * 7, 1234 * 9 + 1, 652 * 1234, 40 * 1234},  // almost 1 %
                             {50, 200 * 131 + 3, 200 * 77, 200 * 653, 50 * 200},   // just 1 %
                             {8640, 16384 * 254, 16384 * 3, 16384 * 65280, 8640 * 16384}};
  for (const Case& c : kCases)
    for (const float newest : {1.0f, 0.15f, 0.0f}) {
      std::vector<int64_t> sums;
      for (int y = 0; y < c.rows; ++y) sums.insert(sums.end(), {c.a + y % 2, c.b, c.skin});
      const double all_a = double(c.a) * c.rows + c.rows / 2, all_b = double(c.b) * c.rows;
      mt::GradeMeans means{100.0f, 90.0f, 7, 7};
      executor->launch(mt::MeanGrade{sums.data(), c.rows, c.pixels, &means, newest}, 1);
      const double share = newest;
      // Means are whole multiples of 1/256.
      EXPECT_NEAR(std::floor(all_a * 256 / c.pixels) / 256 * share + 100 * (1 - share), means.a,
                  5e-5);
      EXPECT_NEAR(std::floor(all_b * 256 / c.pixels) / 256 * share + 90 * (1 - share), means.b,
                  5e-5);
      EXPECT_EQ(double(c.skin) * c.rows / 65280 >= 0.01 * c.pixels, means.skin == 1);
      EXPECT_TRUE(means.skin == 0 || means.skin == 1);
    }
}

TEST(Harmony, MovesColoursTowardsTheirMeans) {
  const auto executor = mt::make_cpu_executor(1);
  for (const float strength : {0.1f, 0.0f, 0.63f, 1.0f}) {
    test::Differences differences;
    test::for_each_picture([&](test::HostPicture& from, const test::Parts& parts) {
      test::HostPicture to(from.size());
      const mt::GradeMeans means{120.6f, 141.3f, 0, 0};
      executor->launch(mt::Harmony{parts.rows(), executor->tables(), &means, strength,
                                   test::planes_of(from), test::planes_of(to)},
                       parts.count());
      const auto expected = [&](int x, int y) {
        return test::harmonised(test::colour_at(from, x, y), double{means.a}, double{means.b},
                                strength);
      };
      test::compare(to, parts, expected, differences);
    });
    test::expect_within(differences, {2, 0.1, 0, 0.035});  // see rgb_of_lab8()
  }
}

}  // namespace
