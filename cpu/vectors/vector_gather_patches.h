// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// gather_patches() of kernels/math/gather_patches.h on a CPU. Rows of patches are so short that
/// calls of memcpy() would take longer than the copies, so the usual lengths are compiled.
#pragma once

#include <cstring>
#include <type_traits>

#include "cpu/vectors/serial_group.h"
#include "kernels/math/gather_patches.h"

namespace mt {
namespace {

/// @tparam kRun Patches::run; 0: any
template <int kRun, class Index>
void gather_runs(const Patches& patches, const Index* index, int columns, uint8_t* to,
                 int64_t pitch) {
  const int run = kRun ? kRun : patches.run, rows = patches.rows;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const uint8_t* from = patches.first + entry_of(patches, index[x]) * patches.pitch;
      std::memcpy(to + y * pitch + static_cast<int64_t>(x) * run, from + y * run, run);
    }
}

template <class Index>
void gather_patches(SerialGroup&, const Patches& patches, const Index* index, int columns,
                    uint8_t* to, int64_t pitch) {
  const auto with = [&](auto run) {
    gather_runs<decltype(run)::value>(patches, index, columns, to, pitch);
  };
  using std::integral_constant;
  switch (patches.run) {
    // Patches of 2, 4, 8 and 16 pixels a row: one plane of bytes or of floats, and three
    // interleaved.
    case 2:
      return with(integral_constant<int, 2>());
    case 4:
      return with(integral_constant<int, 4>());
    case 6:
      return with(integral_constant<int, 6>());
    case 8:
      return with(integral_constant<int, 8>());
    case 12:
      return with(integral_constant<int, 12>());
    case 16:
      return with(integral_constant<int, 16>());
    case 24:
      return with(integral_constant<int, 24>());
    case 32:
      return with(integral_constant<int, 32>());
    case 48:
      return with(integral_constant<int, 48>());
    case 64:
      return with(integral_constant<int, 64>());
    case 96:
      return with(integral_constant<int, 96>());
    case 192:
      return with(integral_constant<int, 192>());
    default:
      return with(integral_constant<int, 0>());
  }
}

}  // namespace
}  // namespace mt
