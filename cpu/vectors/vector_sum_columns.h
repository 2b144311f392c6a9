// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// sum_columns() of kernels/math/sum_columns.h on a CPU: a vector of sums stays in a register from
/// row to row.
#pragma once

#include "cpu/vectors/serial_group.h"
#include "cpu/vectors/vectors.h"
#include "kernels/math/sum_columns.h"

namespace mt {
namespace {

/// For at least as many columns as the vectors have lanes.
template <class Lanes>
void sum_columns_in(Lanes lanes, const uint8_t* in, int pitch, int rows, int columns,
                    uint16_t* sums) {
  const hn::Rebind<uint8_t, Lanes> bytes;
  constexpr int kLanes = hn::MaxLanes(Lanes());
  for (int begin = 0; begin < columns; begin += kLanes) {
    // The last vector may overlap the one before it.
    const int x = begin + kLanes <= columns ? begin : columns - kLanes;
    auto sum = hn::Zero(lanes);
    for (int y = 0; y < rows; ++y)
      sum = hn::Add(sum, hn::PromoteTo(lanes, hn::LoadU(bytes, in + y * pitch + x)));
    hn::StoreU(sum, lanes, sums + x);
  }
}

void sum_columns(SerialGroup&, const uint8_t* in, int pitch, int rows, int columns,
                 uint16_t* sums) {
  const hn::ScalableTag<uint16_t> wide;
  const hn::FixedTag<uint16_t, 8> narrow;
  if (columns >= static_cast<int>(hn::MaxLanes(wide)))
    return sum_columns_in(wide, in, pitch, rows, columns, sums);
  if (columns >= static_cast<int>(hn::MaxLanes(narrow)))
    return sum_columns_in(narrow, in, pitch, rows, columns, sums);
  for (int x = 0; x < columns; ++x) {
    uint32_t sum = 0;
    for (int y = 0; y < rows; ++y) sum += in[y * pitch + x];
    sums[x] = static_cast<uint16_t>(sum);
  }
}

}  // namespace
}  // namespace mt
