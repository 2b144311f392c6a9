// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// products() of kernels/math/products.h on a CPU, in vectors of the instruction set that the file
/// is compiled for. Compilers do not find the multiplication of pairs in the plain loop.
#pragma once

#include <cstring>

#include "cpu/vectors/serial_group.h"
#include "cpu/vectors/vectors.h"
#include "kernels/math/products.h"

namespace mt {
namespace {

/// kRows rows by all columns. The sums of as many vectors of columns as registers can hold are
/// computed together, so that a pair of a row's elements is loaded once for all of them.
template <int kRows>
void products_of_rows(const int16_t* const* row, int pairs, const int16_t* columns, uint32_t* out) {
  const hn::ScalableTag<int32_t> sums;
  const hn::Repartition<int16_t, decltype(sums)> elements;
  const hn::RebindToUnsigned<decltype(sums)> unsigned_sums;
  constexpr int kLanes = hn::MaxLanes(sums);
  constexpr int kVectors = kLanes < 16 ? 2 : 3;  // AVX-512 has 32 registers, not 16
  static_assert(kProductColumns % (kVectors * kLanes) == 0);
  for (int c = 0; c < kProductColumns; c += kVectors * kLanes) {
    hn::Vec<decltype(sums)> sum[kVectors][kRows], rest[kVectors][kRows];
    for (int v = 0; v < kVectors; ++v)
      for (int r = 0; r < kRows; ++r) sum[v][r] = rest[v][r] = hn::Zero(sums);
    for (int i = 0; i < pairs; ++i) {
      hn::Vec<decltype(elements)> repeated[kRows];
      for (int r = 0; r < kRows; ++r) {
        int32_t pair;
        std::memcpy(&pair, row[r] + 2 * i, sizeof pair);
        repeated[r] = hn::BitCast(elements, hn::Set(sums, pair));
      }
      for (int v = 0; v < kVectors; ++v) {
        const auto column =
            hn::Load(elements, columns + (i * kProductColumns + c + v * kLanes) * 2);
        for (int r = 0; r < kRows; ++r)
          sum[v][r] =
              hn::ReorderWidenMulAccumulate(sums, column, repeated[r], sum[v][r], rest[v][r]);
      }
    }
    for (int v = 0; v < kVectors; ++v)
      for (int r = 0; r < kRows; ++r)
        hn::StoreU(hn::BitCast(unsigned_sums, hn::RearrangeToOddPlusEven(sum[v][r], rest[v][r])),
                   unsigned_sums, out + r * kProductColumns + c + v * kLanes);
  }
}

void products(SerialGroup&, const ProductRows& rows, const int16_t* columns, uint32_t* out) {
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
