// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "cpu/cpu_executor.h"
#include "executor/coarse_cost.h"
#include "executor/tile_search.h"
#include "kernels/features/cell_stats.h"
#include "kernels/kernel_list.h"

namespace mt {

/// A kernel as the CPU runs it.
struct CpuKernel {
  /// Runs groups [begin, end) on this thread. `shared` is memory of shared_bytes bytes at a
  /// multiple of kSharedAlignment (see kernels/group.h).
  void (*run)(const void* kernel, int begin, int end, unsigned char* shared);
  const char* name;
  int shared_bytes;
};

/// What is built for each instruction set.
struct CpuBuild {
  CpuKernel kernels[static_cast<int>(KernelId::kCount)];  ///< indexed by KernelId
  /// See executor/host_distances.h.
  void (*feature_distances)(const FineFeatures* cells, int count, const FineFeatures& tiles, int n,
                            int32_t* out, int64_t stride);
  void (*listed_distances)(const FineFeatures& cell, const FineFeatures& tiles, const int32_t* tile,
                           int count, uint32_t* distance);
  void (*least_sums)(const uint32_t* coarse, int n, const CoarseCost& cost, const int32_t* price,
                     uint32_t* sum);
  uint32_t (*value_limit)(const uint32_t* values, int n, int need);
  int (*indices_up_to)(const uint32_t* values, int n, uint32_t most, int32_t* out);
  /// See executor/tile_search.h.
  void (*distances_to_boxes)(const int16_t* boxes, const TileQuery& query, int32_t* out);
  void (*distances_across_boxes)(const int16_t* boxes, const TileQuery& query, uint32_t* out);
  size_t (*search_block)(const TileIndexView& index, int block, const TileQuery* queries,
                         const int32_t* limits, const int32_t* chosen, int count, int32_t* scratch,
                         FoundTile* out);
};

/// The builds, up to MT_HIGHEST_SIMD_LEVEL.
extern const CpuBuild kCpuBuild_v2;
extern const CpuBuild kCpuBuild_v3;
extern const CpuBuild kCpuBuild_v4;

#ifdef MT_HIGHEST_SIMD_LEVEL
/// @param level   at most best_simd_level()
inline const CpuBuild& cpu_build([[maybe_unused]] SimdLevel level) {
#if MT_HIGHEST_SIMD_LEVEL >= 4
  if (level == SimdLevel::kV4) return kCpuBuild_v4;
#endif
#if MT_HIGHEST_SIMD_LEVEL >= 3
  if (level == SimdLevel::kV3) return kCpuBuild_v3;
#endif
  return kCpuBuild_v2;
}
#endif

}  // namespace mt
