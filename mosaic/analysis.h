// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "cuda/cell_stats.h"
#include "cuda/executor.h"

namespace mosaic {

/// Features and statistics of tiles, by the kernel that also looks at the cells of a frame.
/// @param pixels   [tiles][3: R, G, B][side][side]
/// @param side     8..256
/// @param features [tiles][mt::kFeatureStride], written
/// @param stats    [tiles], written
void describe_tiles(mt::Executor& executor, const uint8_t* pixels, int tiles, int side,
                    int16_t* features, mt::CellStats* stats);

}  // namespace mosaic
