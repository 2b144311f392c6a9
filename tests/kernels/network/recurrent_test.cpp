// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/network/recurrent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cpu/cpu_executor.h"
#include "tests/kernels/network/layers.h"

namespace {

using test::HostLayer;

constexpr int kState = 96, kOther = 64;  ///< channels of the hidden state, of the context
constexpr int kWidth = 13, kHeight = 5;

/// The kernels' own tanh and sigmoid are within 3e-7 of the functions.
constexpr double kError = 1e-6;

double sigmoid(double v) {
  return 1 / (1 + std::exp(-v));
}

TEST(SplitContext, GivesTheHiddenStateAndTheContext) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_content(12, [&](const char* what, auto value) {
    const HostLayer in(kWidth, kHeight, kState + kOther, 0, value);
    HostLayer hidden(kWidth, kHeight, kState, 1), context(kWidth, kHeight, kOther, 1);
    executor->launch(mt::SplitContext{in.layer(), hidden.layer(), context.layer()}, in.rows());
    test::for_each_value(in, [&](int p, int y, int x, int c) {
      const double v = in.at(p, y, x, c);
      if (c < kState)
        ASSERT_NEAR(std::tanh(v), hidden.at(p, y, x, c), kError) << what;
      else
        ASSERT_EQ(std::max(0.0, v), context.at(p, y, x, c - kState)) << what;
    });
    EXPECT_TRUE(hidden.border_is_empty() && context.border_is_empty());
  });
}

TEST(ResetHidden, MultipliesByTheSecondGate) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_content(20, [&](const char* what, auto value) {
    const HostLayer gates(kWidth, kHeight, 2 * kState, 0, value);
    const HostLayer hidden(kWidth, kHeight, kState, 1,
                           [&](int i) { return value(i * 3 + 1) * 0.05f; });
    HostLayer out(kWidth, kHeight, kState, 1);
    executor->launch(mt::ResetHidden{gates.layer(), hidden.layer(), out.layer()}, out.rows());
    test::for_each_value(out, [&](int p, int y, int x, int c) {
      ASSERT_NEAR(sigmoid(gates.at(p, y, x, kState + c)) * hidden.at(p, y, x, c),
                  out.at(p, y, x, c), kError)
          << what;
    });
    EXPECT_TRUE(out.border_is_empty());
  });
}

TEST(UpdateHidden, LetsInAsMuchAsTheFirstGateSays) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_content(20, [&](const char* what, auto value) {
    const HostLayer gates(kWidth, kHeight, 2 * kState, 0, value);
    const HostLayer proposed(kWidth, kHeight, kState, 0, [&](int i) { return value(i + 5); });
    HostLayer hidden(kWidth, kHeight, kState, 1, [&](int i) { return value(i * 3 + 1) * 0.05f; });
    HostLayer out(kWidth, kHeight, kState, 1);
    mt::UpdateHidden update{gates.layer(), proposed.layer(), hidden.layer(), out.layer()};
    executor->launch(update, out.rows());
    test::for_each_value(out, [&](int p, int y, int x, int c) {
      const double share = sigmoid(gates.at(p, y, x, c));
      const double expected =
          (1 - share) * hidden.at(p, y, x, c) + share * std::tanh(proposed.at(p, y, x, c));
      ASSERT_NEAR(expected, out.at(p, y, x, c), kError) << what;
    });
    EXPECT_TRUE(out.border_is_empty());
    update.out = hidden.layer();  // in place
    executor->launch(update, out.rows());
    test::for_each_value(out, [&](int p, int y, int x, int c) {
      ASSERT_EQ(out.at(p, y, x, c), hidden.at(p, y, x, c)) << what;
    });
  });
}

}  // namespace
