// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// g.products() of cuda/math/products.h on a CPU, in vectors of the instruction set that the file
/// is compiled for. Compilers do not find the multiplication of pairs in the plain loop.
#pragma once

#include <cstring>

#include "cuda/math/products.h"
#include "cuda/run/vectors.h"

namespace mt {
namespace {

/// kRows rows by all columns: one vector of columns at a time, whose sums stay in registers. More
/// sums at once make GCC 12 spill them.
template <int kRows>
void products_of_rows(const int16_t* const* row, int pairs, const int16_t* columns, uint32_t* out) {
  const hn::ScalableTag<int32_t> sums;
  const hn::Repartition<int16_t, decltype(sums)> elements;
  constexpr int kLanes = hn::MaxLanes(sums);
  static_assert(kProductColumns % kLanes == 0);
  using Sums = hn::Vec<decltype(sums)>;
  for (int c = 0; c < kProductColumns; c += kLanes) {
    Sums sum[kRows], rest[kRows];
    for (int r = 0; r < kRows; ++r) sum[r] = rest[r] = hn::Zero(sums);
    for (int i = 0; i < pairs; ++i) {
      const auto column = hn::Load(elements, columns + (i * kProductColumns + c) * 2);
      for (int r = 0; r < kRows; ++r) {
        int32_t pair;
        std::memcpy(&pair, row[r] + 2 * i, sizeof pair);
        const auto repeated = hn::BitCast(elements, hn::Set(sums, pair));
        sum[r] = hn::ReorderWidenMulAccumulate(sums, column, repeated, sum[r], rest[r]);
      }
    }
    const hn::RebindToUnsigned<decltype(sums)> unsigned_sums;
    for (int r = 0; r < kRows; ++r)
      hn::StoreU(hn::BitCast(unsigned_sums, hn::RearrangeToOddPlusEven(sum[r], rest[r])),
                 unsigned_sums, out + r * kProductColumns + c);
  }
}

void vector_products(const ProductRows& rows, const int16_t* columns, uint32_t* out) {
  for (int r = 0; r < rows.count; r += 4) {
    const int16_t* const* row = rows.row + r;
    uint32_t* to = out + r * kProductColumns;
    switch (rows.count - r) {
      case 1:
        products_of_rows<1>(row, rows.pairs, columns, to);
        break;
      case 2:
        products_of_rows<2>(row, rows.pairs, columns, to);
        break;
      case 3:
        products_of_rows<3>(row, rows.pairs, columns, to);
        break;
      default:
        products_of_rows<4>(row, rows.pairs, columns, to);
    }
  }
}

}  // namespace
}  // namespace mt
