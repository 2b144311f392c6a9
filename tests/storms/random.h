// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <utility>
#include <vector>

namespace storm {

/// Random choices that depend on the seed alone, not on the C++ library.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  uint64_t bits() { return engine_(); }
  /// least <= number <= most
  int between(int least, int most) {
    const auto count = static_cast<uint64_t>(int64_t{most} - least + 1);
    return static_cast<int>(least + static_cast<int64_t>(bits() % count));
  }
  bool one_in(int n) { return bits() % static_cast<uint64_t>(n) == 0; }
  /// From 0 to 1.
  double fraction() { return static_cast<double>(bits() >> 11) / static_cast<double>(1ULL << 53); }
  template <class T>
  const T& pick(const std::vector<T>& choices) {
    return choices[bits() % choices.size()];
  }
  template <class T>
  T pick(std::initializer_list<T> choices) {
    return *(choices.begin() + bits() % choices.size());
  }
  /// The seed of another sequence, for another thread.
  uint64_t fork() { return bits(); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace storm
