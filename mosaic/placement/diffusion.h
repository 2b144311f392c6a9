// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "executor/executor.h"
#include "kernels/frame/scene_change.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/base/grid.h"
#include "mosaic/pool/pool_on_device.h"

namespace mosaic {

/// Chooses the tile of each cell by error diffusion (mosaicraft's faiss_diffusion): each cell takes
/// the nearest tile that is not yet used near it, and passes its error on. Between cuts a cell
/// changes its tile only for one that is nearer by more than the switching price.
class Diffusion {
 public:
  struct Settings {
    double strength = 0.85;  ///< 0..1: share of the error that is passed on
    double beta = 0.3;       ///< 0..1, see price_factor()
    unsigned dedup_radius = 4;
    bool operator==(const Settings&) const = default;
  };

  /// @param max_uses how often a frame may use a tile; enough to fill all cells
  Diffusion(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool, int max_uses,
            const std::shared_ptr<mt::Executor>& executor);

  /// Launches the placement of a frame.
  /// @param starts the frame is a Continuation::kStart; on the device, `scene` is then a cut
  void enqueue(const FrameAnalysis& analysis, const mt::SceneState* scene, bool starts,
               const Settings& settings);

  /// [cells]: what enqueue() chose, once that has been waited for.
  std::span<const int32_t> tiles() const { return {tile_.host(), tile_.size()}; }

 private:
  int cells_at_once(int radius) const;
  double mean_distance() const;

  Grid grid_;
  std::shared_ptr<const PoolOnDevice> pool_;
  std::shared_ptr<mt::Executor> executor_;
  int max_uses_;
  Settings settings_;  ///< of the last frame
  mt::Mirror<int32_t> tile_;
  mt::Mirror<int64_t> distance_;
  mt::DeviceBuffer<int32_t> errors_, coarse_distances_, nearby_uses_, uses_, kept_;
};

}  // namespace mosaic
