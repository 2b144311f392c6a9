// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/network/instance_norm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu/cpu_executor.h"
#include "tests/kernels/network/layers.h"

namespace {

using test::HostLayer;
using test::kBatch;

constexpr int kChannels = 48;

TEST(RowMoments, AreMeanAndSquaredDeviations) {
  const auto executor = mt::make_cpu_executor(1);
  for (const int width : {1, 2, 13, 240})
    test::for_each_content(30, [&](const char* what, auto value) {
      const HostLayer in(width, 3, kChannels, 1, value);
      std::vector<float> moments(size_t{2} * in.rows() * kChannels, -1);
      executor->launch(mt::RowMoments{in.layer(), moments.data()}, in.rows());
      for (int row = 0; row < in.rows(); ++row)
        for (int c = 0; c < kChannels; ++c) {
          const auto at = [&](int x) { return in.at(row / 3, row % 3, x, c); };
          double sum = 0, square = 0;
          for (int x = 0; x < width; ++x) sum += at(x);
          for (int x = 0; x < width; ++x) square += std::pow(at(x) - sum / width, 2);
          // Single precision adds up the errors of `width` values of up to 30.
          ASSERT_NEAR(sum / width, moments[(2 * row) * kChannels + c], 3e-5) << what << " " << c;
          ASSERT_NEAR(square, moments[(2 * row + 1) * kChannels + c], 1e-5 * square + 1e-4) << what;
        }
    });
}

TEST(PictureMoments, JoinThoseOfTheRows) {
  const auto executor = mt::make_cpu_executor(1);
  for (const int width : {1, 13})
    for (const int height : {1, 42})
      test::for_each_content(30, [&](const char* what, auto value) {
        const HostLayer in(width, height, kChannels, 0, value);
        std::vector<float> rows(size_t{2} * in.rows() * kChannels);
        for (int row = 0; row < in.rows(); ++row)
          for (int c = 0; c < kChannels; ++c) {
            const auto at = [&](int x) { return in.at(row / height, row % height, x, c); };
            double sum = 0, square = 0;
            for (int x = 0; x < width; ++x) sum += at(x);
            for (int x = 0; x < width; ++x) square += std::pow(at(x) - sum / width, 2);
            rows[(2 * row) * kChannels + c] = static_cast<float>(sum / width);
            rows[(2 * row + 1) * kChannels + c] = static_cast<float>(square);
          }
        std::vector<float> moments(size_t{2} * kBatch * kChannels, -1);
        executor->launch(mt::PictureMoments{rows.data(), width, height, kChannels, moments.data()},
                         kBatch);
        for (int p = 0; p < kBatch; ++p)
          for (int c = 0; c < kChannels; ++c) {
            const int n = width * height;
            const auto at = [&](int i) { return in.at(p, i / width, i % width, c); };
            double sum = 0, square = 0;
            for (int i = 0; i < n; ++i) sum += at(i);
            for (int i = 0; i < n; ++i) square += std::pow(at(i) - sum / n, 2);
            const double scale = 1 / std::sqrt(square / n + 1e-5);
            ASSERT_NEAR(sum / n, moments[2 * p * kChannels + c], 2e-5) << what;
            ASSERT_NEAR(scale, moments[(2 * p + 1) * kChannels + c], 1e-4 * scale) << what;
          }
      });
}

/// What is left of a normalised value without the negative part.
double positive(double v, double mean, double scale) {
  return std::max(0.0, (v - mean) * scale);
}

TEST(Normalise, EndsAResidualBlock) {
  const auto executor = mt::make_cpu_executor(1);
  constexpr int kWidth = 13, kHeight = 5;
  test::for_each_content(3, [&](const char* what, auto value) {
    const HostLayer moments(2 * kChannels, 1, 1, 0, [&](int i) { return value(i + 5) * 0.5f; });
    const HostLayer other_moments(2 * kChannels, 1, 1, 0, [&](int i) { return value(i + 9) + 1; });
    const auto moment = [](const HostLayer& of, int each, int p, int which, int c) {
      return of.at(each ? p : 0, 0, which * kChannels + c, 0);
    };
    for (int which = 0; which < 6; ++which) {
      const bool two = which >= 2;
      const int each = which % 2, other_each = which >= 4;
      HostLayer in(kWidth, kHeight, kChannels, 1, value), out(kWidth, kHeight, kChannels, 2);
      const HostLayer other(kWidth, kHeight, kChannels, 0, [&](int i) { return value(i + 1); });
      mt::Normalise n{};
      n.in = in.layer();
      n.moments = moments.layer().data;
      n.each_picture = each;
      if (two) n.other = other.layer();
      n.other_moments = other_moments.layer().data;
      n.other_each_picture = other_each;
      n.out = out.layer();
      executor->launch(n, in.rows());
      test::for_each_value(out, [&](int p, int y, int x, int c) {
        double v = positive(in.at(p, y, x, c), moment(moments, each, p, 0, c),
                            moment(moments, each, p, 1, c));
        if (two)
          v = std::max(0.0,
                       v + (other.at(p, y, x, c) - moment(other_moments, other_each, p, 0, c)) *
                               moment(other_moments, other_each, p, 1, c));
        ASSERT_NEAR(v, out.at(p, y, x, c), 1e-5) << what << ", " << which;
      });
      EXPECT_TRUE(out.border_is_empty());
      n.out = in.layer();  // in place
      executor->launch(n, in.rows());
      test::for_each_value(out, [&](int p, int y, int x, int c) {
        ASSERT_EQ(out.at(p, y, x, c), in.at(p, y, x, c)) << what;
      });
    }
  });
}

}  // namespace
