// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/frame/resample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "cpu/cpu_executor.h"
#include "tests/kernels/pictures.h"

namespace {

/// Where the centre of a pixel lies among `from` pixels, in whole units of 1/256; beyond the outer
/// centres edge pixels repeat.
double place(int i, int to, int from) {
  const double at = std::floor(256 * (i + 0.5) * from / to) - 128;
  return std::clamp(at, 0.0, 256.0 * (from - 1));
}

TEST(Resample, InterpolatesBetweenPixelCentres) {
  const auto executor = mt::make_cpu_executor(1);
  for (const test::Pattern& pattern : test::kPatterns)
    for (const test::Size& in : test::kPictureSizes)
      for (const test::Size& out : {test::Size{1, 1}, {13, 42}, {26, 84}, {101, 7}}) {
        SCOPED_TRACE(std::string(pattern.name) + " " + std::to_string(in.width) + " to " +
                     std::to_string(out.width));
        test::HostPicture from(in, pattern.level), to(out);
        executor->launch(mt::Resample{test::planes_of(from), test::planes_of(to)}, out.height);
        test::expect_equal(to, test::whole_picture(out), [&](int x, int y) {
          const double u = place(x, out.width, in.width), v = place(y, out.height, in.height);
          const int left = static_cast<int>(u / 256), top = static_cast<int>(v / 256);
          test::Colour colour;
          for (int c = 0; c < 3; ++c) {
            double sum = 0;
            for (int dy = 0; dy < 2; ++dy)
              for (int dx = 0; dx < 2; ++dx)
                sum += from.at(c, std::min(left + dx, in.width - 1),
                               std::min(top + dy, in.height - 1)) *
                       (256 - std::abs(u - 256 * (left + dx))) *
                       (256 - std::abs(v - 256 * (top + dy)));
            colour[c] = std::floor(sum / 65536 + 0.5);
          }
          return colour;
        });
      }
}

}  // namespace
