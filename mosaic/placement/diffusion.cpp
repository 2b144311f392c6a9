// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/placement/diffusion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/features/cell_stats.h"
#include "kernels/matching/diffuse.h"
#include "mosaic/placement/price.h"

namespace mosaic {

Diffusion::Diffusion(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool, int max_uses,
                     const std::shared_ptr<mt::Executor>& executor)
    : grid_(grid),
      pool_(std::move(pool)),
      executor_(executor),
      max_uses_(max_uses),
      tile_(executor, grid.cells()),
      distance_(executor, grid.cells()),
      errors_(executor, size_t{2} * grid.columns * mt::kFeatureStride),
      coarse_distances_(executor, pool_->host().tiles()),
      nearby_uses_(executor, coarse_distances_.size()),
      uses_(executor, coarse_distances_.size()),
      kept_(executor, static_cast<size_t>(mt::kKeptScenes) * grid.cells()) {}

/// How many cells a launch places: few enough that it takes about a tenth of a second at most.
int Diffusion::cells_at_once(int radius) const {
  constexpr int64_t kCompared = 1 << 22;
  const int64_t nearby = int64_t{radius + 1} * (2 * radius + 1);
  const int64_t cells = kCompared / (pool_->host().tiles() + nearby);
  return static_cast<int>(std::clamp<int64_t>(cells, 1, grid_.cells()));
}

double Diffusion::mean_distance() const {
  const int64_t* first = distance_.host();
  return std::accumulate(first, first + distance_.size(), 0.0) / distance_.size();
}

void Diffusion::enqueue(const FrameAnalysis& analysis, const mt::SceneState* scene, bool starts,
                        const Settings& settings) {
  const FrameAnalysis::OnDevice cells = analysis.on_device();
  mt::Diffuse diffuse{};
  diffuse.scene = scene;
  diffuse.changed = cells.changed;
  diffuse.cells = cells.features;
  diffuse.tiles = pool_->features();
  diffuse.columns = grid_.columns;
  diffuse.rows = grid_.rows;
  diffuse.tile_count = pool_->host().tiles();
  diffuse.force = settings != settings_;
  diffuse.radius = std::min<int>(settings.dedup_radius, std::max(grid_.columns, grid_.rows));
  diffuse.max_uses = max_uses_;
  diffuse.strength = std::llround(settings.strength * (int64_t{1} << mt::kStrengthBits));
  // Every cell has the same switching price, a multiple of the mean distance, whether it moved or
  // not: the errors that are passed on to a still cell change with any noise.
  if (!starts)
    diffuse.price =
        std::llround(std::min(mean_distance() * price_factor(settings.beta), double{1ll << 60}));
  diffuse.tile = tile_.device();
  diffuse.distance = distance_.device();
  diffuse.errors = errors_.data();
  diffuse.coarse_distances = coarse_distances_.data();
  diffuse.nearby_uses = nearby_uses_.data();
  diffuse.uses = uses_.data();
  diffuse.kept = kept_.data();
  for (const int step = cells_at_once(diffuse.radius); diffuse.first < grid_.cells();
       diffuse.first = diffuse.end) {
    diffuse.end = std::min(diffuse.first + step, grid_.cells());
    executor_->launch(diffuse, 1);
    if (diffuse.end < grid_.cells()) executor_->wait();  // so that a cancellation is noticed
  }
  tile_.fetch(*executor_);
  distance_.fetch(*executor_);
  settings_ = settings;
}

}  // namespace mosaic
