// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cuda/cell_stats.h"
#include "cuda/executor.h"
#include "cuda/hue.h"
#include "mosaic/photo.h"

namespace mosaic {

/// What a pool is prepared for.
struct PoolOptions {
  int side = 0;         ///< cell side that features are taken at, pixels, 8..256
  int draw_side = 0;    ///< side that tiles are drawn at, pixels, 1..16384; often equal to `side`
  bool augment = true;  ///< each photo also mirrored, 10 % brighter, 10 % darker
  /// Folder for prepared pools; nullopt: the user's cache folder; empty: none.
  std::optional<std::string> cache_location;
  int color_variants = 0;  ///< 0..mt::kMostHues: hue rotations of each of these tiles
};

/// Prepared tiles: everything a frame needs to know of them. Immutable and shared.
///
/// Tile t shows photo t % photos(), in variant t / photos() (see mt::TileVariants). Pixels are kept
/// once a photo; the variants are made while drawing.
class Pool {
 public:
  int photos() const;
  const mt::TileVariants& tile_variants() const;
  int variants() const { return tile_variants().count(); }
  int tiles() const { return photos() * variants(); }
  int side() const;
  int draw_side() const;
  int skipped() const;  ///< photos that could not be used
  std::string name(int photo) const;

  std::span<const uint8_t> pixels() const;       ///< [photos][3: R, G, B][draw_side][draw_side]
  std::span<const int16_t> features() const;     ///< [tiles][mt::kFeatureStride]
  std::span<const int16_t> remainders() const;   ///< [tiles][mt::kFeatureStride], mt::FeatureOut
  std::span<const mt::CellStats> stats() const;  ///< [tiles], at `side`
  std::span<const uint8_t> grays() const;        ///< [tiles][side][side]: luma, variants and all

  struct Storage;
  explicit Pool(std::shared_ptr<const Storage> storage);

 private:
  std::shared_ptr<const Storage> storage_;
};

/// How a load goes on. It is told often, from the loading thread.
struct PoolProgress {
  int done = 0;
  int total = 0;
};

/// Loads what `source` offers, from the cache where possible, with all the executor's workers.
/// Broken photos are skipped and reported by `warn` (from the loading thread). Neither `progress`
/// nor `warn` may throw.
/// Throws Error: kRead when no photo could be used, kCancelled when `cancelled` became true.
std::shared_ptr<const Pool> load_pool(const PhotoSource& source, const PoolOptions& options,
                                      mt::Executor& executor,
                                      const std::function<void(const PoolProgress&)>& progress,
                                      const std::function<void(const std::string&)>& warn,
                                      const std::atomic<bool>& cancelled);

}  // namespace mosaic
