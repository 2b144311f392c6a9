// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// count_codes() and sum_by_code() of kernels/math/histogram.h on a CPU: all codes are compared
/// with each bin in turn, which is faster than an addition in memory for each code, because those
/// to the same bin wait for each other.
#pragma once

#include "cpu/vectors/serial_group.h"
#include "cpu/vectors/vectors.h"
#include "kernels/math/histogram.h"

namespace mt {
namespace {

/// As count_codes() for 256 bins.
void count_in_copies(const uint8_t* codes, int n, int32_t* counts) {
  constexpr int kCopies = 4, kBins = 256;
  int32_t copies[kCopies][kBins] = {};
  const int whole = n / kCopies * kCopies;
  for (int i = 0; i < whole; i += kCopies)
    for (int k = 0; k < kCopies; ++k) ++copies[k][codes[i + k]];
  for (int i = whole; i < n; ++i) ++counts[codes[i]];
  for (int bin = 0; bin < kBins; ++bin)
    for (int k = 0; k < kCopies; ++k) counts[bin] += copies[k][bin];
}

void count_codes(SerialGroup&, const uint8_t* codes, int n, int bins, int32_t* counts) {
  if (bins == 256) return count_in_copies(codes, n, counts);
  constexpr int kAtOnce = 4;  // bins
  const hn::ScalableTag<uint8_t> lanes;
  constexpr int kLanes = hn::MaxLanes(lanes);
  const int whole = n / kLanes * kLanes;
  for (int first = 0; first < bins; first += kAtOnce) {
    size_t count[kAtOnce] = {};
    for (int i = 0; i < whole; i += kLanes) {
      const auto code = hn::LoadU(lanes, codes + i);
      for (int k = 0; k < kAtOnce; ++k)
        count[k] +=
            hn::CountTrue(lanes, hn::Eq(code, hn::Set(lanes, static_cast<uint8_t>(first + k))));
    }
    for (int k = 0; k < kAtOnce && first + k < bins; ++k)
      counts[first + k] += static_cast<int32_t>(count[k]);
  }
  for (int i = whole; i < n; ++i)
    if (codes[i] < bins) ++counts[codes[i]];
}

void sum_by_code(SerialGroup&, const uint8_t* codes, const int32_t* weights, int n, int bins,
                 int64_t* sums) {
  constexpr int kAtOnce = 8;  // bins
  const hn::ScalableTag<int32_t> lanes;
  const hn::Rebind<uint8_t, decltype(lanes)> bytes;
  constexpr int kLanes = hn::MaxLanes(lanes);
  const int whole = n / kLanes * kLanes;
  for (int first = 0; first < bins; first += kAtOnce) {
    hn::Vec<decltype(lanes)> sum[kAtOnce];
    for (auto& s : sum) s = hn::Zero(lanes);
    for (int i = 0; i < whole; i += kLanes) {
      const auto code = hn::PromoteTo(lanes, hn::LoadU(bytes, codes + i));
      const auto weight = hn::LoadU(lanes, weights + i);
      for (int k = 0; k < kAtOnce; ++k)
        sum[k] =
            hn::Add(sum[k], hn::IfThenElseZero(hn::Eq(code, hn::Set(lanes, first + k)), weight));
    }
    for (int k = 0; k < kAtOnce && first + k < bins; ++k)
      sums[first + k] += hn::GetLane(hn::SumOfLanes(lanes, sum[k]));
  }
  for (int i = whole; i < n; ++i)
    if (codes[i] < bins) sums[codes[i]] += weights[i];
}

}  // namespace
}  // namespace mt
