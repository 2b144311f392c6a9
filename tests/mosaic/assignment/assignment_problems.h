// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <random>
#include <vector>

#include "mosaic/assignment/assignment.h"

/// An assignment problem with its full cost matrix, which makes the lists that the solver takes.
struct DenseProblem {
  int rows, columns, capacity = 1, listed;
  std::vector<int32_t> costs;  ///< [rows][columns]
  std::vector<int32_t> held, held_cost, switching_price;
  std::vector<int32_t> list_column, list_cost, bound;

  DenseProblem(int rows, int columns, int capacity, int listed)
      : rows(rows),
        columns(columns),
        capacity(capacity),
        listed(listed),
        costs(static_cast<size_t>(rows) * columns) {}

  int32_t cost(int row, int column) const {
    return costs[static_cast<size_t>(row) * columns + column];
  }

  /// The cost, plus the switching price if the column is not the held one.
  int64_t priced(int row, int column) const {
    const bool changes = !held.empty() && held[row] >= 0 && held[row] != column;
    return int64_t{cost(row, column)} + (changes ? switching_price[row] : 0);
  }

  void hold(std::vector<int32_t> what, std::vector<int32_t> prices) {
    held = std::move(what);
    switching_price = std::move(prices);
    held_cost.resize(rows);
    for (int i = 0; i < rows; ++i) held_cost[i] = held[i] >= 0 ? cost(i, held[i]) : 0;
  }

  /// Lists each row's cheapest columns, except for every `skip`-th of them (0: none is skipped):
  /// the engine chooses its lists by a distance that is not quite the cost.
  mosaic::AssignmentProblem problem(int skip = 0) {
    list_column.clear();
    list_cost.clear();
    bound.assign(rows, INT32_MAX);
    for (int i = 0; i < rows; ++i) list(i, skip);
    mosaic::AssignmentProblem p;
    p.rows = rows;
    p.columns = columns;
    p.capacity = capacity;
    p.listed = listed;
    p.column = list_column.data();
    p.cost = list_cost.data();
    p.bound = bound.data();
    if (!held.empty()) {
      p.held = held.data();
      p.held_cost = held_cost.data();
      p.switching_price = switching_price.data();
    }
    p.read_costs = [this](const mosaic::CostBlock& block) {
      for (size_t i = 0; i < block.rows.size(); ++i)
        for (int j = block.begin; j < block.end; ++j) block.of_row(i)[j] = cost(block.rows[i], j);
    };
    return p;
  }

 private:
  void list(int row, int skip) {
    std::vector<int32_t> order(columns);
    std::iota(order.begin(), order.end(), 0);
    const auto cheaper = [&](int a, int b) {
      return std::pair(cost(row, a), a) < std::pair(cost(row, b), b);
    };
    std::sort(order.begin(), order.end(), cheaper);
    if (skip > 0)
      for (int k = skip - 1; k < listed && columns - 1 > k; k += skip)
        std::rotate(order.begin() + k, order.begin() + k + 1, order.end());
    std::sort(order.begin(), order.begin() + listed, cheaper);
    for (int k = 0; k < listed; ++k) {
      list_column.push_back(order[k]);
      list_cost.push_back(cost(row, order[k]));
    }
    for (int k = listed; k < columns; ++k) bound[row] = std::min(bound[row], cost(row, order[k]));
  }
};

/// Kinds of cost matrices that are difficult for solvers.
enum class Shape {
  kRandom,
  kFewValues,
  kEqual,
  kZero,
  kOneFavourite,
  kClusters,
  kAlike,
  kLarge,
  kCount
};

inline void fill(DenseProblem& d, Shape shape, std::mt19937& random) {
  const auto below = [&](int n) {
    return static_cast<int32_t>(random() % static_cast<unsigned>(n));
  };
  std::vector<int32_t> base(d.columns);
  for (int32_t& b : base) b = below(1 << 18);
  for (int i = 0; i < d.rows; ++i)
    for (int j = 0; j < d.columns; ++j) {
      int32_t& c = d.costs[static_cast<size_t>(i) * d.columns + j];
      switch (shape) {
        case Shape::kRandom:
          c = below(1 << 18);
          break;
        case Shape::kFewValues:
          c = below(4);
          break;
        case Shape::kEqual:
          c = 1000;
          break;
        case Shape::kZero:
          c = 0;
          break;
        case Shape::kOneFavourite:
          c = j == 0 ? 0 : 1000 + below(1000);
          break;
        case Shape::kClusters:
          c = base[j] + below(1 << 10);
          break;
        case Shape::kAlike:
          c = base[j];
          break;
        case Shape::kLarge:
          c = (1 << 28) - below(3) * (1 << 27);
          break;
        case Shape::kCount:
          break;
      }
    }
}

inline std::ostream& operator<<(std::ostream& to, const DenseProblem& d) {
  return to << d.rows << " rows, " << d.columns << " columns, capacity " << d.capacity << ", "
            << d.listed << " listed" << (d.held.empty() ? "" : ", held");
}
