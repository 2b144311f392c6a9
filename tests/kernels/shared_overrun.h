// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/matching/tile_similarity.h"

namespace test {

/// A kernel for a launch of one group that writes past its shared memory, but all else where it
/// may: the cell is larger than the kernel allows, so the sums over its windows (all zero here) do
/// not fit into their arrays.
/// @param zeroed  called with a number of bytes, returns as much zeroed memory for the kernel
template <class F>
mt::Rerank shared_overrun(F zeroed) {
  const auto memory = [&](size_t bytes) { return static_cast<void*>(zeroed(bytes)); };
  constexpr int kSide = mt::Rerank::kMaxSide + 64, kArea = kSide * kSide;
  const auto pixels = static_cast<uint8_t*>(memory(3 * kArea));
  const auto tile = static_cast<uint8_t*>(memory(kArea));
  const auto nearest = static_cast<int32_t*>(memory(mt::kRerankNearest * sizeof(int32_t)));
  return {static_cast<mt::RerankEntry*>(memory(sizeof(mt::RerankEntry))),
          pixels,
          tile,
          kSide,
          nearest,
          1,
          static_cast<uint8_t*>(memory(kArea)),
          static_cast<mt::RerankScore*>(memory(2 * sizeof(mt::RerankScore)))};
}

}  // namespace test
