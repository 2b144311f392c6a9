// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// least_sums() of executor/host_distances.h.
#pragma once

#include "cpu/vectors/vectors.h"
#include "executor/coarse_cost.h"
#include "kernels/matching/coarse_distance.h"

namespace mt {
namespace {

/// By so much of itself a bound is lowered: more than the arithmetic rounds by.
constexpr float kRoundedBy = 0x1p-19f;
/// And by so many units: a cost is rounded down by less than 1, times a weight of at most 4, and
/// again by less than 1.
constexpr float kRoundedDown = 5;

/// As least_distance(), with coarse distances above INT32_MAX, of which there are hardly any, as if
/// they were that.
void vector_least_sums(const uint32_t* coarse, int n, const CoarseCost& cost, const int32_t* price,
                       uint32_t* sum) {
  const hn::ScalableTag<float> reals;
  const hn::Rebind<int32_t, decltype(reals)> lanes;
  const hn::Rebind<uint32_t, decltype(reals)> unsigned_lanes;
  constexpr int kLanes = hn::MaxLanes(reals);
  const float scale = cost.scale * (1 - kRoundedBy), most = cost.most * (1 - kRoundedBy);
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const auto of_tiles = hn::Min(hn::LoadU(unsigned_lanes, coarse + i),
                                  hn::Set(unsigned_lanes, uint32_t{INT32_MAX}));
    const auto distance = hn::ConvertTo(reals, hn::BitCast(lanes, of_tiles));
    const auto error = hn::Mul(hn::Set(reals, float{2 * kCoarseError}),
                               hn::Add(hn::Sqrt(distance), hn::Set(reals, 1.0f)));
    const auto exact = hn::Mul(hn::Sub(distance, error), hn::Set(reals, kCoarseUnit));
    const auto least = hn::Sub(hn::Mul(exact, hn::Set(reals, scale)), hn::Set(reals, kRoundedDown));
    const auto bound = hn::Min(hn::Max(least, hn::Zero(reals)), hn::Set(reals, most));
    const auto of_sum = hn::Add(hn::ConvertTo(lanes, bound), hn::LoadU(lanes, price + i));
    hn::StoreU(hn::BitCast(unsigned_lanes, of_sum), unsigned_lanes, sum + i);
  }
  for (; i < n; ++i) {
    const float least = least_distance(coarse[i]) * scale - kRoundedDown;
    const float bound = least < 0 ? 0 : least < most ? least : most;
    sum[i] = static_cast<uint32_t>(static_cast<int32_t>(bound) + price[i]);
  }
}

}  // namespace
}  // namespace mt
