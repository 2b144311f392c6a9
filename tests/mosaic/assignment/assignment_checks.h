// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Checks that every answer of the assignment solver must pass.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "tests/first_failure.h"
#include "tests/mosaic/assignment/assignment_problems.h"

inline std::string describe(const DenseProblem& d) {
  std::ostringstream text;
  text << d;
  return text.str();
}

/// Checks everything that assignment.h promises of an answer, over the full cost matrix.
inline void check_certificate(const DenseProblem& d, const mosaic::Assignment& a) {
  SCOPED_TRACE(describe(d));
  ASSERT_EQ(a.column.size(), static_cast<size_t>(d.rows));
  ASSERT_EQ(a.row_dual.size(), static_cast<size_t>(d.rows));
  ASSERT_EQ(a.column_dual.size(), static_cast<size_t>(d.columns));
  std::vector<int> used(d.columns, 0);
  int64_t cost = 0, bound = 0;
  test::FirstFailure infeasible;
  for (int i = 0; i < d.rows; ++i) {
    ASSERT_GE(a.column[i], 0);
    ASSERT_LT(a.column[i], d.columns);
    ++used[a.column[i]];
    cost += d.priced(i, a.column[i]);
    bound += a.row_dual[i];
    // The duals are those of the costs less the row's switching price, if it holds a column.
    const int64_t switching_price = !d.held.empty() && d.held[i] >= 0 ? d.switching_price[i] : 0;
    bound += switching_price;
    for (int j = 0; j < d.columns; ++j)
      infeasible.check(a.row_dual[i] + a.column_dual[j] <= d.priced(i, j) - switching_price, [&] {
        return test::text_of("row", i, "column", j, "duals", a.row_dual[i], a.column_dual[j],
                             "cost", d.priced(i, j), "switching price", switching_price);
      });
  }
  ASSERT_TRUE(infeasible.none());
  for (int j = 0; j < d.columns; ++j) {
    ASSERT_LE(used[j], d.capacity);
    ASSERT_LE(a.column_dual[j], 0);
    bound += a.column_dual[j] * d.capacity;
  }
  EXPECT_EQ(a.cost, cost);
  EXPECT_EQ(a.lower_bound, bound);
  EXPECT_GE(a.gap(), 0);
}

inline void hold_some(DenseProblem& d, std::mt19937& random, int largest_price) {
  std::vector<int32_t> held(d.rows), switching_price(d.rows);
  for (int i = 0; i < d.rows; ++i) {
    held[i] = random() % 4 == 0 ? -1 : static_cast<int32_t>(random() % d.columns);
    switching_price[i] = static_cast<int32_t>(random() % (largest_price + 1));
  }
  d.hold(held, switching_price);
}

/// Makes every row hold a column, and no column be held more often than its capacity.
inline void hold_all(DenseProblem& d, std::mt19937& random, int largest_price) {
  std::vector<int32_t> held(static_cast<size_t>(d.columns) * d.capacity), switching_price(d.rows);
  for (size_t k = 0; k < held.size(); ++k) held[k] = static_cast<int32_t>(k % d.columns);
  std::shuffle(held.begin(), held.end(), random);
  held.resize(d.rows);
  for (int32_t& p : switching_price) p = static_cast<int32_t>(random() % (largest_price + 1));
  d.hold(held, switching_price);
}

inline constexpr int kShapes = static_cast<int>(Shape::kCount);

/// Checks that an answer is an optimum, and proves it.
inline void check_optimal(const DenseProblem& d, const mosaic::Assignment& a) {
  check_certificate(d, a);
  SCOPED_TRACE(describe(d));
  EXPECT_EQ(a.cost, a.lower_bound);
  EXPECT_EQ(a.gap(), 0);
  std::vector<int> used(d.columns, 0);
  for (const int32_t j : a.column) ++used[j];
  for (int j = 0; j < d.columns; ++j)
    if (used[j] < d.capacity) {
      EXPECT_EQ(a.column_dual[j], 0) << j;
    }
}

/// Not only the same assignment, but the same search.
inline void expect_same(const mosaic::Assignment& answer, const mosaic::Assignment& expected) {
  EXPECT_EQ(answer.column, expected.column);
  EXPECT_EQ(answer.full_rows, expected.full_rows);
  EXPECT_EQ(answer.row_dual, expected.row_dual);
  EXPECT_EQ(answer.column_dual, expected.column_dual);
}
