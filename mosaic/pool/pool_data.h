// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The options and the data of a pool, for the code that prepares, stores and reads it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/drawing/hue.h"
#include "kernels/features/cell_stats.h"
#include "kernels/views.h"
#include "mosaic/photos/photo_cut.h"

namespace mosaic {

/// What a pool is prepared for.
struct PoolOptions {
  int side = 0;             ///< cell side that features are computed at, pixels, 8..256
  mt::PixelSize draw_size;  ///< that tiles are drawn at, 1..16384; often `side` x `side`
  bool augment = true;      ///< each photo also mirrored, 10 % brighter, 10 % darker
  /// Folder for prepared pools; nullopt: the user's cache folder; empty: none.
  std::optional<std::string> cache_location;
  int color_variants = 0;  ///< 0..mt::kMaxHues: hue rotations of each tile above
  PhotoCut cut = {};       ///< the photos of a pack are always cut at the centre
};

/// What a pool consists of, in memory of its own.
struct PoolData {
  struct Skipped {
    int index;           ///< in the photo source
    std::string reason;  ///< the text of the warning
  };
  int side = 0;
  mt::PixelSize draw_size;
  mt::TileVariants variants;
  std::vector<std::string> names;  ///< [photos]
  std::vector<Skipped> skipped;    ///< ascending
  std::span<const uint8_t> pixels;
  std::span<const int16_t> features, residuals;
  std::span<const mt::CellStats> stats;
  std::span<const uint8_t> grays;
  std::shared_ptr<const void> memory;  ///< owns what the spans refer to
};

}  // namespace mosaic
