// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/drawing/hue.h"
#include "kernels/features/cell_stats.h"
#include "kernels/views.h"

namespace mosaic {

/// The tiles that cells are drawn with, in memory that kernels can read. Tile t shows photo
/// t % pool_photos, in variant t / pool_photos.
struct TilesToDraw {
  const uint8_t* pixels;       ///< [photos][3: R, G, B][height][width] of photo_size
  const mt::CellStats* stats;  ///< [variants][photos]; read only if colours are transferred
  int photos;                  ///< of which there are pixels
  mt::PixelSize photo_size;    ///< at least that of every cell
  mt::TileVariants variants;
  int pool_photos;
  /// [pool_photos], on the host: which of the `photos` each one is; null: they are the pool's.
  const int32_t* place = nullptr;

  /// The number of a tile among those here.
  int32_t number_of(int32_t tile) const {
    return place ? place[tile % pool_photos] + tile / pool_photos * photos : tile;
  }
};

}  // namespace mosaic
