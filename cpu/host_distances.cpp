// SPDX-License-Identifier: LGPL-2.1-or-later
#include "executor/host_distances.h"

#include "cpu/cpu_kernels.h"

namespace mt {

namespace {

const CpuBuild& best_build() {
  static const CpuBuild& best = cpu_build(best_simd_level());
  return best;
}

}  // namespace

void feature_distances(const FineFeatures* cells, int count, const FineFeatures& tiles, int n,
                       int32_t* out, int64_t stride) {
  best_build().feature_distances(cells, count, tiles, n, out, stride);
}

int near_tiles(const FineFeatures& cell, const uint32_t* coarse, const FineFeatures& tiles, int n,
               int need, int32_t* tile, uint32_t* distance) {
  return best_build().near_tiles(cell, coarse, tiles, n, need, tile, distance);
}

}  // namespace mt
