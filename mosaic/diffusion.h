// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "cuda/executor.h"
#include "cuda/scene.h"
#include "mosaic/analysis.h"
#include "mosaic/grid.h"
#include "mosaic/pool_on_device.h"

namespace mosaic {

/// Which tile stands in which cell, by error diffusion (mosaicraft's faiss_diffusion): each cell
/// takes the nearest tile that does not stand near it yet, and its error is handed on. Between cuts
/// a cell leaves its tile only for one that is nearer by the price of a change.
class Diffusion {
 public:
  struct Settings {
    double strength = 0.85;  ///< 0..1: share of the error that is handed on
    double beta = 0.3;       ///< 0..1, see price_factor()
    unsigned dedup_radius = 4;
    bool operator==(const Settings&) const = default;
  };

  /// @param most_uses of a tile in a frame: enough for all cells
  Diffusion(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool, int most_uses,
            const std::shared_ptr<mt::Executor>& executor);

  /// Has a frame placed. @param fresh there is no last frame
  void look(mt::Executor& executor, const FrameAnalysis& analysis, const mt::SceneState* scene,
            bool fresh, const Settings& settings);

  /// [cells]: what look() chose, once that has been waited for.
  std::span<const int32_t> tiles() const { return {tile_.host(), tile_.size()}; }

 private:
  double mean_distance() const;

  Grid grid_;
  std::shared_ptr<const PoolOnDevice> pool_;
  int most_uses_;
  Settings settings_;  ///< of the last frame
  mt::Mirror<int32_t> tile_;
  mt::Mirror<int64_t> distance_;
  mt::DeviceBuffer<int32_t> errors_, rough_, standing_, uses_, kept_;
};

}  // namespace mosaic
