// SPDX-License-Identifier: LGPL-2.1-or-later
// Selecting the smallest elements of a row, compared with a plain sort.
#include "cuda/matching/row_threshold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/first_failure.h"

namespace {

/// A group of one worker with the operations that find_threshold() uses. Counts the passes over a
/// row.
class OneWorker {
 public:
  template <class F>
  void for_each(int n, F f) {
    ++passes;
    for (int i = 0; i < n; ++i) f(i);
  }
  void sync() {}
  int64_t sum(int64_t v) { return v; }

  int passes = 0;
};

using Row = std::vector<uint16_t>;
constexpr int kLargest = UINT16_MAX - 1;

struct Kind {
  const char* name;
  uint16_t (*value)(std::mt19937&, int i, int n);
};

constexpr Kind kKinds[] = {
    {"random", [](std::mt19937& r, int, int) { return uint16_t(r() % (kLargest + 1)); }},
    {"small", [](std::mt19937& r, int, int) { return uint16_t(r() % 10); }},
    {"large",
     [](std::mt19937& r, int, int) { return uint16_t(kLargest - static_cast<int>(r() % 3000)); }},
    {"of all sizes",
     [](std::mt19937& r, int, int) { return uint16_t(std::exp2(r() % 16000 / 1000.0)); }},
    {"all 0", [](std::mt19937&, int, int) { return uint16_t{0}; }},
    {"all 777", [](std::mt19937&, int, int) { return uint16_t{777}; }},
    {"all the largest", [](std::mt19937&, int, int) { return uint16_t{kLargest}; }},
    {"two values", [](std::mt19937& r, int, int) { return uint16_t(r() % 2 ? 5 : 40000); }},
    {"the least and the largest",
     [](std::mt19937& r, int, int) { return uint16_t(r() % 30 ? kLargest : 0); }},
    {"ties but for a few",
     [](std::mt19937& r, int i, int) { return uint16_t(i % 9 ? 3000 : r() % 6000); }},
    {"ascending", [](std::mt19937&, int i, int) { return uint16_t(i * 13); }},
    {"descending", [](std::mt19937&, int i, int n) { return uint16_t((n - i) * 13); }},
};

/// Expects `threshold` to select the smallest elements by value and index, and as many as asked
/// for.
void expect_smallest(const Row& row, int least, int most, mt::Threshold threshold) {
  const int n = static_cast<int>(row.size());
  std::vector<std::pair<int, int>> sorted;
  for (int i = 0; i < n; ++i) sorted.push_back({row[i], i});
  std::sort(sorted.begin(), sorted.end());
  int chosen = 0;
  while (chosen < n && threshold(sorted[chosen].first, sorted[chosen].second)) ++chosen;
  test::FirstFailure wrong;
  for (int k = chosen; k < n; ++k)
    wrong.check(!threshold(sorted[k].first, sorted[k].second),
                [&] { return test::text_of("selected but not the smaller ones: rank", k); });
  ASSERT_TRUE(wrong.none());
  if (n <= most) {
    ASSERT_EQ(n, chosen);
    ASSERT_EQ(UINT16_MAX, threshold.limit);
  } else {
    ASSERT_GE(chosen, least);
    ASSERT_LE(chosen, most);
  }
}

/// Hints: the exact limit, none (0), and limits of other rows.
std::vector<int32_t> hints(const Row& row, int least) {
  Row sorted = row;
  std::sort(sorted.begin(), sorted.end());
  const int32_t exact = sorted[std::min<size_t>(least, row.size() - 1)];
  return {0, 1, exact, exact + 1, 2000, kLargest, UINT16_MAX, 1 << 20};
}

TEST(RowThreshold, SelectsTheSmallestValuesOfAnyRow) {
  std::mt19937 random(1);
  for (const Kind& kind : kKinds)
    for (int n : {1, 2, 3, 30, 61, 62, 127, 500, 3676, 4096}) {
      Row row(n);
      for (int i = 0; i < n; ++i) row[i] = kind.value(random, i, n);
      for (const auto& [least, most] : std::vector<std::pair<int, int>>{
               {1, 2}, {48, 61}, {100, 126}, {std::max(1, n - 2), std::max(2, n - 1)}}) {
        if (least > n) continue;
        for (int32_t hint : hints(row, least)) {
          SCOPED_TRACE(std::string(kind.name) + ", " + std::to_string(n) + " numbers, " +
                       std::to_string(least) + " to " + std::to_string(most) + ", hint " +
                       std::to_string(hint));
          OneWorker g;
          expect_smallest(row, least, most,
                          mt::find_threshold(g, row.data(), n, least, most, hint));
          if (testing::Test::HasFatalFailure()) return;
          // At least every fourth pass halves the range of 2^16 values; then each pass halves the
          // ties.
          EXPECT_LE(g.passes, 4 * 16 + 12);
        }
      }
    }
}

TEST(RowThreshold, IsFoundInOnePassWithAGoodHint) {
  std::mt19937 random(2);
  Row row(3676);
  for (uint16_t& v : row) v = static_cast<uint16_t>(random() % 30000);
  Row sorted = row;
  std::sort(sorted.begin(), sorted.end());
  OneWorker g;
  const mt::Threshold threshold = mt::find_threshold(g, row.data(), 3676, 48, 61, sorted[55]);
  EXPECT_EQ(sorted[55], threshold.limit);
  EXPECT_EQ(1, g.passes);
}

}  // namespace
