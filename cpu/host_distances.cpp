// SPDX-License-Identifier: LGPL-2.1-or-later
#include "executor/host_distances.h"

#include "cpu/cpu_kernels.h"
#include "executor/tile_search.h"
#include "kernels/matching/coarse_distance.h"

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
  const int count = indices_up_to(coarse, n, coarse_above(value_limit(coarse, n, need)), tile);
  listed_distances(cell, tiles, tile, count, distance);
  return count;
}

void listed_distances(const FineFeatures& cell, const FineFeatures& tiles, const int32_t* tile,
                      int count, uint32_t* distance) {
  best_build().listed_distances(cell, tiles, tile, count, distance);
}

void least_sums(const uint32_t* coarse, int n, const CoarseCost& cost, const int32_t* price,
                uint32_t* sum) {
  best_build().least_sums(coarse, n, cost, price, sum);
}

uint32_t value_limit(const uint32_t* values, int n, int need) {
  return best_build().value_limit(values, n, need);
}

int indices_up_to(const uint32_t* values, int n, uint32_t most, int32_t* out) {
  return best_build().indices_up_to(values, n, most, out);
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
