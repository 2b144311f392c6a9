// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/kernel_list.h"
#include "kernels/math/gather_patches.h"

namespace mt {

/// Pictures made of the patches of a codebook: codebook[indices], with the patches beside and below
/// each other. The bytes of a patch may be samples of any type, in interleaved or separate planes.
/// Index: row of patches, of all pictures.
struct Gather {
  static constexpr KernelId kId = KernelId::kGather;
  const uint8_t* codebook;  ///< [entries][planes][patch_rows][run]
  /// [pictures][rows][columns]: one of these two, the other is null.
  const uint16_t* index16;
  const uint32_t* index32;
  uint32_t entries;    ///< 1 or more
  int32_t rows;        ///< of patches in a picture
  int32_t columns;     ///< of patches; columns * run below 2^31
  int32_t planes;      ///< of a picture
  int32_t patch_rows;  ///< of samples in a patch
  int32_t run;         ///< bytes of a row of a patch, 1 or more
  uint8_t* out;        ///< [pictures][planes][rows * patch_rows][columns * run], written
  int32_t* too_large;  ///< [pictures * rows], written: how many indices of each row of patches are
                       ///< not below `entries`; they count as entries - 1

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    if (index16)
      gather(g, index16, index);
    else
      gather(g, index32, index);
  }

 private:
  template <class Group, class Index>
  MT_HD void gather(Group& g, const Index* indices, int number) const {
    const Index* row = indices + static_cast<int64_t>(number) * columns;
    const uint32_t limit = entries;
    int32_t wrong = 0;
    g.for_each(columns, [=, &wrong](int x) { wrong += row[x] >= limit; });
    wrong = static_cast<int32_t>(g.sum(wrong));
    int32_t* counts = too_large;
    g.for_each(1, [=](int) { counts[number] = wrong; });
    const int64_t line = static_cast<int64_t>(columns) * run, strip = line * patch_rows;
    const int64_t patch_plane = static_cast<int64_t>(patch_rows) * run;
    const int64_t picture = number / rows, y = number % rows;
    for (int p = 0; p < planes; ++p) {
      const Patches patches{codebook + p * patch_plane, planes * patch_plane, entries, patch_rows,
                            run};
      gather_patches(g, patches, row, columns, out + ((picture * planes + p) * rows + y) * strip,
                     line);
    }
  }
};

}  // namespace mt
