// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "kernels/group.h"

namespace mt {
// Unnamed, as everything that is compiled for several instruction sets.
namespace {

/// The group of a CPU: one worker.
class SerialGroup {
 public:
  /// The headers beside this one are its forms.
  static constexpr bool kHasOwnForms = true;

  /// @param shared  memory of shared_bytes<Kernel>() bytes, at a multiple of kSharedAlignment
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
  template <class T>
  T* shared(int n) {
    T* block = reinterpret_cast<T*>(shared_);
    shared_ += shared_block<T>(n);
    return block;
  }

 private:
  unsigned char* shared_;
};

}  // namespace
}  // namespace mt
