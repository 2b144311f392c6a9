// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares cuts and returns of scenes with the rules that SceneChange's comment states;
// tests/mosaic/analysis/scene_test.cpp tests the whole stage with pictures.
#include "kernels/frame/scene_change.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "cpu/cpu_executor.h"

namespace {

constexpr int kRows = 5;

mt::SceneState expected_state(const mt::SceneChange& k, const std::array<int64_t, 3>& sums,
                              const mt::SceneState& before) {
  mt::SceneState next{};
  const int64_t now = k.first ? 0 : sums[0], last = k.first ? 0 : before.difference;
  next.difference = now;
  next.cut = k.force || std::min(now, std::abs(now - last)) >= k.limit;
  // The most similar kept scene, the first among equals, if it is similar enough.
  int nearest = 0;
  for (const int slot : {1, 2})
    if (k.kept[slot - 1] && (nearest == 0 || sums[slot] < sums[nearest])) nearest = slot;
  if (!k.force && nearest && sums[nearest] < k.return_limit && sums[nearest] < now)
    next = {sums[nearest], 0, 0, nearest, 0};
  if (next.cut && !k.force) next.kept = k.keep_slot;
  return next;
}

TEST(SceneChange, FollowsItsRules) {
  const auto executor = mt::make_cpu_executor(1);
  std::mt19937 random(3);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int cuts = 0, returns = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<int64_t> rows(3 * kRows);
    std::array<int64_t, 3> sums{};
    const int most = 1 + below(12);  // small numbers, so that many are equal
    for (int k = 0; k < 3 * kRows; ++k) sums[k / kRows] += rows[k] = below(most);
    const mt::SceneState before{below(60), below(2), below(3), below(3), 0};
    mt::SceneState state = before;
    const mt::SceneChange kernel{
        rows.data(), kRows,     below(5) == 0, below(5) == 0, {below(2), below(2)},
        below(3),    below(30), below(40),     &state};
    executor->launch(kernel, 1);
    const mt::SceneState expected = expected_state(kernel, sums, before);
    ASSERT_EQ(expected.difference, state.difference) << i;
    ASSERT_EQ(expected.cut, state.cut) << i;
    ASSERT_EQ(expected.kept, state.kept) << i;
    ASSERT_EQ(expected.returned, state.returned) << i;
    cuts += state.cut;
    returns += state.returned > 0;
  }
  EXPECT_GT(cuts, 1000);
  EXPECT_GT(returns, 1000);
}

}  // namespace
