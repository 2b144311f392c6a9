// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/finishing/grade.h"

#include <gtest/gtest.h>

#include <string>

#include "cpu/cpu_executor.h"
#include "tests/kernels/finishing/grading.h"
#include "tests/kernels/math/blurred.h"
#include "tests/kernels/pictures.h"

namespace {

void expect_graded(mt::Executor& executor, test::HostPicture& from, const test::Parts& parts,
                   const mt::GradeLook& look, float most, test::Differences& differences) {
  test::HostPicture to(from.size());
  test::HostPlanes<uint16_t> rows(from.size(), test::skin_rows_level), skin(from.size());
  const bool protects = look.skin_protection > 0;
  mt::Grade grade{};
  grade.rows = parts.rows();
  grade.tables = executor.tables();
  grade.look = look;
  grade.chroma = &most;
  grade.from = test::planes_of(from);
  grade.to = test::planes_of(to);
  grade.weights = test::kBlurWeights;
  grade.skin_rows = protects ? rows.plane(0) : nullptr;
  grade.skin = skin.plane(0);
  executor.launch(grade, parts.count());
  const auto expected = [&](int x, int y) {
    const double is_skin = protects ? test::blurred_down(rows, 0, x, y) : 0;
    return test::graded(test::colour_at(from, x, y), look, most, is_skin / 65280);
  };
  test::compare(to, parts, expected, differences);
  for (int y = 0; y < from.size().height; ++y)
    for (int x = 0; x < from.size().width; ++x)
      ASSERT_EQ(
          protects && parts.contain(x, y) ? test::blurred_down(rows, 0, x, y) : test::kUntouched,
          skin.at(0, x, y));
}

// Where single precision truncates a level differently, the hue of a colour may fall on the other
// side of 170, from where the factor of warm hues applies instead of that of cool ones: that
// changes a few colours much. Without vibrance (the second look) every weak colour should come back
// from Oklab as it was, so that all are at the edge between two levels.
TEST(Grade, IsVibranceSaturationAndContrastExceptForSkin) {
  const auto executor = mt::make_cpu_executor(1);
  constexpr test::Tolerance kTolerances[] = {
      {20, 0.025, 0.001, 0.025}, {10, 0.16, 0.005, 0.06}, {100, 0.13, 0.0015, 0.06}};
  for (int i = 0; i < 3; ++i)
    for (const float most : {0.05f, 0.2f, 0.33f}) {
      SCOPED_TRACE("look " + std::to_string(i) + ", chroma " + std::to_string(most));
      test::Differences differences;
      test::for_each_picture([&](test::HostPicture& from, const test::Parts& parts) {
        expect_graded(*executor, from, parts, test::kLooks[i], most, differences);
      });
      test::expect_within(differences, kTolerances[i]);
    }
}

}  // namespace
