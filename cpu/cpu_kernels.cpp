// SPDX-License-Identifier: LGPL-2.1-or-later
// Compiled once for each instruction set. Everything here has internal linkage: kernels are
// instantiated with a group type of the unnamed namespace, and their helper functions are static.
// Otherwise the linker would keep one copy of a function for all instruction sets, and an old
// processor might get one with instructions that it lacks.
#include "cpu/cpu_kernels.h"

#include "cpu/vectors/merge_count_below.h"
#include "cpu/vectors/serial_group.h"
#include "cpu/vectors/vector_convolve.h"
#include "cpu/vectors/vector_copy_bytes.h"
#include "cpu/vectors/vector_correlate.h"
#include "cpu/vectors/vector_distances.h"
#include "cpu/vectors/vector_find_up_to.h"
#include "cpu/vectors/vector_gather_patches.h"
#include "cpu/vectors/vector_histogram.h"
#include "cpu/vectors/vector_least_sums.h"
#include "cpu/vectors/vector_look_up.h"
#include "cpu/vectors/vector_products.h"
#include "cpu/vectors/vector_sum_columns.h"
#include "cpu/vectors/vector_sum_differences.h"
#include "cpu/vectors/vector_tile_search.h"
#include "kernels/all/kernels.h"

namespace mt {
namespace {

template <class Kernel>
void run_kernel(const void* parameters, int begin, int end, unsigned char* shared) {
  const Kernel kernel = *static_cast<const Kernel*>(parameters);
  for (int i = begin; i < end; ++i) {
    SerialGroup group(shared);
    kernel(group, i);
  }
}

void distances_of_all(const FineFeatures* cells, int count, const FineFeatures& tiles, int n,
                      int32_t* out, int64_t stride) {
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < count; ++c)
      out[c * stride + i] = vector_feature_distance(cells[c], tiles.at(i));
}

void distances_of_list(const FineFeatures& cell, const FineFeatures& tiles, const int32_t* tile,
                       int count, uint32_t* distance) {
  SerialGroup group(nullptr);
  feature_distances(group, cell, tiles, tile, count, distance);
}

uint32_t find_value_limit(const uint32_t* values, int n, int need) {
  SerialGroup group(nullptr);
  return coarse_limit(group, values, n, need, UINT32_MAX / 2);
}

int find_indices(const uint32_t* values, int n, uint32_t most, int32_t* out) {
  SerialGroup group(nullptr);
  int count = 0;
  find_up_to(group, values, n, most, out, &count);
  return count;
}

}  // namespace

#define MT_JOIN2(a, b) a##b
#define MT_JOIN(a, b) MT_JOIN2(a, b)
#define MT_ENTRY(name) {run_kernel<name>, #name, shared_bytes<name>()},
const CpuBuild MT_JOIN(kCpuBuild_, MT_SIMD_LEVEL) = {
    {MT_KERNELS(MT_ENTRY)},    distances_of_all,
    distances_of_list,         vector_least_sums,
    find_value_limit,          find_indices,
    distances_to_boxes_on_cpu, distances_across_boxes_on_cpu,
    search_block_on_cpu};

}  // namespace mt
