// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// copy_bytes() of kernels/math/copy_bytes.h on a CPU. A cell's rows are so short that calls of
/// memcpy() would take longer than the copies.
#pragma once

#include <cstring>

#include "cpu/vectors/serial_group.h"
#include "cpu/vectors/vectors.h"
#include "kernels/math/copy_bytes.h"

namespace mt {
namespace {

void copy_bytes(SerialGroup&, const uint8_t* from, int64_t from_pitch, int rows, int columns,
                uint8_t* to, int64_t to_pitch) {
  const hn::CappedTag<uint8_t, 32> lanes;
  constexpr int kLanes = hn::MaxLanes(lanes);
  for (int y = 0; y < rows; ++y, from += from_pitch, to += to_pitch) {
    if (columns < kLanes) {
      std::memcpy(to, from, columns);
      continue;
    }
    // The last vector may overlap the one before it.
    const auto last = hn::LoadU(lanes, from + columns - kLanes);
    for (int x = 0; x < columns - kLanes; x += kLanes)
      hn::StoreU(hn::LoadU(lanes, from + x), lanes, to + x);
    hn::StoreU(last, lanes, to + columns - kLanes);
  }
}

}  // namespace
}  // namespace mt
