// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// sum_differences() of kernels/math/sum_differences.h on a CPU: where rows are short, compilers do
/// not use the instruction for sums of absolute differences.
#pragma once

#include "cpu/vectors/serial_group.h"
#include "cpu/vectors/vectors.h"
#include "kernels/math/sum_differences.h"

namespace mt {
namespace {

/// For at least as many columns as the vectors have lanes.
template <class Lanes>
int32_t sum_differences_in(Lanes lanes, const uint8_t* a, int64_t pitch, int rows, int columns,
                           const uint8_t* b) {
  constexpr int kLanes = hn::MaxLanes(Lanes());
  const hn::Repartition<uint64_t, Lanes> sums;
  const int whole = columns / kLanes * kLanes;
  // The last vector ends with the row; `counts` leaves out lanes that whole vectors have counted.
  const int last = columns - kLanes;
  const auto counts = hn::Not(hn::FirstN(lanes, whole - last));
  auto sum = hn::Zero(sums);
  const auto difference = [&](int x) {
    const auto v = hn::LoadU(lanes, a + x), w = hn::LoadU(lanes, b + x);
    return hn::Or(hn::SaturatedSub(v, w), hn::SaturatedSub(w, v));
  };
  for (int y = 0; y < rows; ++y, a += pitch, b += columns) {
    for (int x = 0; x < whole; x += kLanes) sum = hn::Add(sum, hn::SumsOf8(difference(x)));
    if (whole < columns)
      sum = hn::Add(sum, hn::SumsOf8(hn::IfThenElseZero(counts, difference(last))));
  }
  return static_cast<int32_t>(hn::GetLane(hn::SumOfLanes(sums, sum)));
}

int32_t sum_differences(SerialGroup&, const uint8_t* a, int64_t pitch, int rows, int columns,
                        const uint8_t* b) {
  const hn::CappedTag<uint8_t, 32> wide;
  const hn::FixedTag<uint8_t, 16> narrow;
  if (columns >= static_cast<int>(hn::MaxLanes(wide)))
    return sum_differences_in(wide, a, pitch, rows, columns, b);
  if (columns >= static_cast<int>(hn::MaxLanes(narrow)))
    return sum_differences_in(narrow, a, pitch, rows, columns, b);
  int32_t sum = 0;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const int32_t d = a[y * pitch + x] - b[y * columns + x];
      sum += d < 0 ? -d : d;
    }
  return sum;
}

}  // namespace
}  // namespace mt
