// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// A small product of matrices of 16-bit integers: on a CPU in vectors
/// (cpu/vectors/vector_products.h), elsewhere by the plain loop below.
#pragma once

#include "kernels/group.h"

namespace mt {

/// Columns of a block: 3 vectors of 16 sums.
inline constexpr int kProductColumns = 48;
/// Rows that are multiplied at once, at most.
inline constexpr int kProductRows = 8;

/// The rows of the left matrix. Each has 2 * pairs elements.
struct ProductRows {
  const int16_t* row[kProductRows];
  int32_t count;  ///< 1..kProductRows
  int32_t pairs;
};

/// out[r][c] = the sum over i of row[r][2 i] column[c][2 i] + row[r][2 i + 1] column[c][2 i + 1],
/// modulo 2^32.
/// @param columns [pairs][kProductColumns][2]: two elements of each column side by side; aligned to
///                kSharedAlignment
/// @param out     [count][kProductColumns], in shared memory; to be read after a sync
template <PlainGroup Group>
static MT_HD void products(Group& g, const ProductRows& rows, const int16_t* columns,
                           uint32_t* out) {
  const ProductRows left = rows;
  g.for_each(left.count, kProductColumns, [=](int r, int c) {
    const int16_t* row = left.row[r];
    uint32_t sum = 0;
    for (int i = 0; i < left.pairs; ++i) {
      const int16_t* pair = columns + (i * kProductColumns + c) * 2;
      // Each product fits 32 bits; the sum of two of -32768 squared would not.
      sum += static_cast<uint32_t>(row[2 * i] * pair[0]);
      sum += static_cast<uint32_t>(row[2 * i + 1] * pair[1]);
    }
    out[r * kProductColumns + c] = sum;
  });
}

}  // namespace mt
