// SPDX-License-Identifier: LGPL-2.1-or-later
// Compiled once for each instruction set. Everything here has internal linkage: kernels are
// instantiated with a group type of the unnamed namespace, and their helper functions are static.
// Otherwise the linker would keep one copy of a function for all instruction sets, and an old
// processor might get one with instructions that it lacks.
#include "cpu/cpu_kernels.h"

#include "cpu/vectors/merge_count_below.h"
#include "cpu/vectors/vector_convolve.h"
#include "cpu/vectors/vector_copy.h"
#include "cpu/vectors/vector_correlate.h"
#include "cpu/vectors/vector_distances.h"
#include "cpu/vectors/vector_find_up_to.h"
#include "cpu/vectors/vector_histogram.h"
#include "cpu/vectors/vector_look_up.h"
#include "cpu/vectors/vector_products.h"
#include "cpu/vectors/vector_sum_columns.h"
#include "cpu/vectors/vector_sum_differences.h"
#include "kernels/all/kernels.h"

namespace mt {
namespace {

/// A group of one worker.
class SerialGroup {
 public:
  explicit SerialGroup(unsigned char* shared) : shared_(shared) {}

  // Iterations of a loop are independent, and `ivdep` tells the compiler so. Only add() makes an
  // iteration depend on others; it has a compiler barrier.
  template <class F>
  void for_each(int n, F f) {
#pragma GCC ivdep
    for (int i = 0; i < n; ++i) f(i);
  }
  template <class F>
  void for_each(int rows, int columns, F f) {
    for (int y = 0; y < rows; ++y) {
#pragma GCC ivdep
      for (int x = 0; x < columns; ++x) f(y, x);
    }
  }
  void sync() {}
  int64_t sum(int64_t v) {
    return v;
  }
  uint64_t min(uint64_t v) {
    return v;
  }
  template <class T>
  T add(T& where, T v) {
    const T before = where;
    where += v;
    asm volatile("" ::: "memory");  // the next iteration may add to the same place
    return before;
  }
  void prefetch(const void* row, int n) {
    constexpr int kCacheLine = 64;
    for (int i = 0; i < n; i += kCacheLine)
      __builtin_prefetch(static_cast<const uint8_t*>(row) + i);
  }
  void copy(const uint8_t* from, int64_t from_pitch, int rows, int columns, uint8_t* to,
            int64_t to_pitch) {
    vector_copy(from, from_pitch, rows, columns, to, to_pitch);
  }
  void products(const ProductRows& rows, const int16_t* columns, uint32_t* out) {
    vector_products(rows, columns, out);
  }
  void find_up_to(const uint32_t* values, int n, uint32_t most, int32_t* out, int32_t* count) {
    vector_find_up_to(values, n, most, out, count);
  }
  void feature_distances(const FineFeatures& cell, const FineFeatures& tiles, const int32_t* list,
                         int n, uint32_t* out) {
    vector_feature_distances(cell, tiles, list, n, out);
  }
  void sum_columns(const uint8_t* in, int pitch, int rows, int columns, uint16_t* sums) {
    vector_sum_columns(in, pitch, rows, columns, sums);
  }
  int32_t sum_differences(const uint8_t* a, int64_t pitch, int rows, int columns,
                          const uint8_t* b) {
    return vector_sum_differences(a, pitch, rows, columns, b);
  }
  void count_below(const int32_t* values, const int32_t* sorted, int32_t* below) {
    merge_count_below(values, sorted, below);
  }
  void count_codes(const uint8_t* codes, int n, int bins, int32_t* counts) {
    vector_count_codes(codes, n, bins, counts);
  }
  void sum_by_code(const uint8_t* codes, const int32_t* weights, int n, int bins, int64_t* sums) {
    vector_sum_by_code(codes, weights, n, bins, sums);
  }
  void look_up(const uint16_t* lut, const LutRow& row, int n) {
    vector_look_up(lut, row, n);
  }
  void convolve(const ConvolutionRow& row) {
    vector_convolve(row);
  }
  void correlate(const CorrelationPatch* patches, int count, float* out) {
    vector_correlate(patches, count, out);
  }
  template <class T>
  T* shared(int n) {
    T* block = reinterpret_cast<T*>(shared_);
    shared_ += shared_block<T>(n);
    return block;
  }

 private:
  unsigned char* shared_;
};

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

int near_tiles_of_cell(const FineFeatures& cell, const uint32_t* coarse, const FineFeatures& tiles,
                       int n, int need, int32_t* tile, uint32_t* distance) {
  SerialGroup group(nullptr);
  const uint32_t most = coarse_above(coarse_limit(group, coarse, n, need, UINT32_MAX / 2));
  int count = 0;
  vector_find_up_to(coarse, n, most, tile, &count);
  vector_feature_distances(cell, tiles, tile, count, distance);
  return count;
}

}  // namespace

#define MT_JOIN2(a, b) a##b
#define MT_JOIN(a, b) MT_JOIN2(a, b)
#define MT_ENTRY(name) {run_kernel<name>, #name, shared_bytes<name>()},
const CpuBuild MT_JOIN(kCpuBuild_, MT_SIMD_LEVEL) = {
    {MT_KERNELS(MT_ENTRY)}, distances_of_all, near_tiles_of_cell};

}  // namespace mt
