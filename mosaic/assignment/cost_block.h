// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mosaic {

/// Asks for the costs of consecutive columns for several rows. Each column's data, from which its
/// costs are computed, is then loaded once for all of these rows.
struct CostBlock {
  std::span<const int32_t> rows;
  int begin, end;  ///< columns
  int32_t* costs;  ///< [rows.size()][stride]: column j of rows[i] at i * stride + j
  int stride;      ///< elements from one row to the next: at least end - begin

  int32_t* of_row(size_t i) const { return costs + static_cast<int64_t>(i) * stride; }
};

/// A block of all columns of a single row. @param row  must outlive the block
inline CostBlock whole_row(const int32_t& row, int columns, int32_t* costs) {
  return {.rows = {&row, 1}, .begin = 0, .end = columns, .costs = costs, .stride = columns};
}

}  // namespace mosaic
