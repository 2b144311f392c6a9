// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// feature_distances() of kernels/matching/distance.h on a CPU. Compilers add up the lanes of each
/// of its sums; here the sums are joined first.
#pragma once

#include "cpu/vectors/serial_group.h"
#include "cpu/vectors/vectors.h"
#include "kernels/matching/distance.h"

namespace mt {
namespace {

const hn::ScalableTag<int16_t> kFeatureLanes;
const hn::RepartitionToWide<decltype(kFeatureLanes)> kSumLanes;
const hn::RepartitionToWide<decltype(kSumLanes)> kWideLanes;
using FeatureSums = hn::Vec<decltype(kSumLanes)>;
using WideSums = hn::Vec<decltype(kWideLanes)>;

/// Adds neighbouring lanes, read as unsigned numbers.
WideSums widen_unsigned(FeatureSums v) {
  const hn::RebindToUnsigned<decltype(kWideLanes)> lanes;
  const auto wide = hn::BitCast(lanes, v);
  return hn::BitCast(kWideLanes,
                     hn::Add(hn::And(wide, hn::Set(lanes, UINT32_MAX)), hn::ShiftRight<32>(wide)));
}

/// Adds pairs of lanes, read as signed numbers: which ones does not matter to the sum of all.
WideSums widen_signed(FeatureSums v) {
  const hn::Half<decltype(kSumLanes)> half;
  return hn::Add(hn::PromoteTo(kWideLanes, hn::LowerHalf(half, v)),
                 hn::PromoteTo(kWideLanes, hn::UpperHalf(half, v)));
}

/// A sum of products of 16-bit numbers. Highway keeps it in two vectors, of which some instruction
/// sets use only the first.
class SumOfProducts {
 public:
  template <class Features>
  void add(Features a, Features b) {
    first_ = hn::ReorderWidenMulAccumulate(kSumLanes, a, b, first_, second_);
  }
  /// Each lane is the sum of the products of a pair of neighbours.
  FeatureSums lanes() const { return hn::RearrangeToOddPlusEven(first_, second_); }

 private:
  FeatureSums first_ = hn::Zero(kSumLanes), second_ = hn::Zero(kSumLanes);
};

/// feature_distance(). What a lane sums up is a part of one of its sums, so it fits as they do.
HWY_INLINE int32_t vector_feature_distance(const FineFeatures& a, const FineFeatures& b) {
  constexpr int kLanes = hn::MaxLanes(kFeatureLanes);
  static_assert(kFeatureThird % kLanes == 0);
  SumOfProducts cross, rest;
  WideSums total = hn::Zero(kWideLanes);
  for (int begin = 0; begin < kFeatureStride; begin += kFeatureThird) {
    SumOfProducts squares;
    for (int i = begin; i < begin + kFeatureThird; i += kLanes) {
      const auto d = hn::Sub(hn::LoadU(kFeatureLanes, a.features + i),
                             hn::LoadU(kFeatureLanes, b.features + i));
      const auto r = hn::Sub(hn::LoadU(kFeatureLanes, a.residuals + i),
                             hn::LoadU(kFeatureLanes, b.residuals + i));
      squares.add(d, d);
      cross.add(d, r);
      rest.add(r, r);
    }
    total = hn::Add(total, widen_unsigned(squares.lanes()));
  }
  total = hn::Add(hn::ShiftLeft<2 * kResidualBits>(total),
                  hn::Add(hn::ShiftLeft<kResidualBits + 1>(widen_signed(cross.lanes())),
                          widen_unsigned(rest.lanes())));
  const int64_t sum = hn::GetLane(hn::SumOfLanes(kWideLanes, total));
  return static_cast<int32_t>(sum >> (2 * kFineBits - kDistanceBits));
}

void feature_distances(SerialGroup&, const FineFeatures& cell, const FineFeatures& tiles,
                       const int32_t* list, int n, uint32_t* out) {
  for (int i = 0; i < n; ++i)
    out[i] = static_cast<uint32_t>(vector_feature_distance(cell, tiles.at(list[i])));
}

}  // namespace
}  // namespace mt
