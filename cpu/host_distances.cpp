// SPDX-License-Identifier: LGPL-2.1-or-later
#include "executor/host_distances.h"

#include "cpu/cpu_kernels.h"
#include "executor/tile_search.h"

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

void distances_to_boxes(const int16_t* boxes, const TileQuery& query, int32_t* out) {
  best_build().distances_to_boxes(boxes, query, out);
}

void distances_across_boxes(const int16_t* boxes, const TileQuery& query, uint32_t* out) {
  best_build().distances_across_boxes(boxes, query, out);
}

size_t search_block(const TileIndexView& index, int block, const TileQuery* queries,
                    const int32_t* limits, const int32_t* chosen, int count, int32_t* scratch,
                    FoundTile* out) {
  return best_build().search_block(index, block, queries, limits, chosen, count, scratch, out);
}

}  // namespace mt
