// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "executor/executor.h"
#include "kernels/drawing/hue.h"
#include "kernels/features/cell_stats.h"
#include "mosaic/base/content_hash.h"
#include "mosaic/photos/photo.h"
#include "mosaic/pool/pool_data.h"
#include "mosaic/tile_index/tile_index.h"

namespace mosaic {

/// The prepared tiles, with everything that frames need to know about them. Immutable and shared.
///
/// Tile t shows photo t % photos(), in variant t / photos() (see mt::TileVariants). Pixels are kept
/// once per photo; their variants are made while drawing.
class Pool {
 public:
  int photos() const;
  const mt::TileVariants& tile_variants() const;
  int variants() const { return tile_variants().count(); }
  int tiles() const { return photos() * variants(); }
  int side() const;
  mt::PixelSize draw_size() const;
  int skipped() const;  ///< photos that could not be used
  std::string name(int photo) const;
  /// The hash of the pack whose photos these are, all of them; nullopt: they come from elsewhere.
  const std::optional<ContentHash>& pack() const { return pack_; }
  /// Why the prepared pool could not be written to the cache folder; empty: it was written, came
  /// from there, or is not cached.
  const std::string& cache_error() const { return cache_error_; }

  std::span<const uint8_t> pixels() const;  ///< [photos][3: R, G, B][height][width] of draw_size()
  std::span<const int16_t> features() const;     ///< [tiles][mt::kFeatureStride]
  std::span<const int16_t> residuals() const;    ///< [tiles][mt::kFeatureStride], mt::FeatureOut
  std::span<const mt::CellStats> stats() const;  ///< [tiles], of pictures of side()
  std::span<const uint8_t> grays() const;        ///< [tiles][side][side]: luma
  uint64_t bytes() const;                        ///< of all of these
  /// The index of the tiles, made by the first call.
  std::shared_ptr<const TileIndex> index(mt::WorkerPool& workers) const;

  explicit Pool(std::shared_ptr<const PoolData> data, std::string cache_error = {},
                std::optional<ContentHash> pack = {});

 private:
  std::shared_ptr<const PoolData> data_;
  std::string cache_error_;
  std::optional<ContentHash> pack_;
  mutable std::once_flag index_made_;
  mutable std::shared_ptr<const TileIndex> index_;
};

/// How far a load has come. Reported often, from the loading thread.
struct PoolProgress {
  int done = 0;
  int total = 0;
};

/// Loads what `source` offers, from the cache where possible, with all the executor's workers.
/// Broken photos are skipped and reported by `warn` (from the loading thread). Neither `progress`
/// nor `warn` may throw.
/// Throws Error: kRead when no photo could be used, kCancelled when `cancelled` became true,
/// kSettings when an option is out of range, or the photos would take more memory than
/// memory_limit(), which is found before any is decoded.
std::shared_ptr<const Pool> load_pool(const PhotoSource& source, const PoolOptions& options,
                                      mt::Executor& executor,
                                      const std::function<void(const PoolProgress&)>& progress,
                                      const std::function<void(const std::string&)>& warn,
                                      const std::atomic<bool>& cancelled);

}  // namespace mosaic
