// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// find_up_to() of kernels/math/find_up_to.h on a CPU. The plain loop has a branch for each value,
/// which processors cannot predict.
#pragma once

#include "cpu/vectors/serial_group.h"
#include "cpu/vectors/vectors.h"
#include "kernels/math/find_up_to.h"

namespace mt {
namespace {

void find_up_to(SerialGroup&, const uint32_t* values, int n, uint32_t most, int32_t* out,
                int32_t* count) {
  const hn::ScalableTag<uint32_t> unsigned_lanes;
  const hn::ScalableTag<int32_t> lanes;
  constexpr int kLanes = hn::MaxLanes(lanes);
  static_assert(kLanes <= kFindMargin);
  const auto limit = hn::Set(unsigned_lanes, most);
  // Counted up: GCC would build Iota(lanes, i) anew for each vector, lane by lane.
  auto index = hn::Iota(lanes, 0);
  int found = 0, i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const auto small = hn::Not(hn::Lt(limit, hn::LoadU(unsigned_lanes, values + i)));
    const auto mask = hn::RebindMask(lanes, small);
    // CompressStore() would be one instruction, but a slow one (AMD Zen 4: more than 100 cycles).
    hn::StoreU(hn::Compress(index, mask), lanes, out + found);
    found += static_cast<int>(hn::CountTrue(lanes, mask));
    index = hn::Add(index, hn::Set(lanes, kLanes));
  }
  for (; i < n; ++i) {
    out[found] = i;
    found += values[i] <= most;
  }
  *count = found;
}

}  // namespace
}  // namespace mt
