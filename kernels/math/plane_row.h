// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/group.h"

namespace mt {

/// Row y of plane i.
template <class ThreePlanes>
static MT_HD inline auto* plane_row(const ThreePlanes& planes, int i, int y) {
  return planes.plane[i] + static_cast<int64_t>(y) * planes.stride;
}

}  // namespace mt
