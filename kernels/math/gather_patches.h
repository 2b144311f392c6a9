// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// A row of patches from a codebook: on a CPU patch by patch (cpu/vectors/vector_gather_patches.h),
/// elsewhere by the plain loop below.
#pragma once

#include "kernels/group.h"

namespace mt {

/// The patches of a codebook, or a plane of each.
struct Patches {
  const uint8_t* first;  ///< [entries] at a distance of `pitch` bytes, each [rows][run]
  int64_t pitch;
  uint32_t entries;  ///< 1 or more
  int32_t rows;      ///< of a patch
  int32_t run;       ///< bytes of a patch's row, 1 or more
};

/// The number of the patch for an index; the last one if the index is too large.
template <class Index>
static MT_HD int64_t entry_of(const Patches& patches, Index index) {
  return index < patches.entries ? index : patches.entries - 1;
}

/// Puts patches beside each other: row y of the x-th one is copied to to[y][x * run]. The copy may
/// be read after a sync.
/// @param index [columns]: uint16_t or uint32_t
/// @param pitch bytes from one row to the next, columns * run or more
template <PlainGroup Group, class Index>
static MT_HD void gather_patches(Group& g, const Patches& patches, const Index* index, int columns,
                                 uint8_t* to, int64_t pitch) {
  const int run = patches.run;
  g.for_each(patches.rows, columns * run, [=](int y, int i) {
    const int x = i / run;
    const uint8_t* patch = patches.first + entry_of(patches, index[x]) * patches.pitch;
    to[y * pitch + i] = patch[y * run + i - x * run];
  });
}

}  // namespace mt
