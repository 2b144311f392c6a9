// SPDX-License-Identifier: LGPL-2.1-or-later
// Memory for a launch of a kernel, with the same content on every executor.
#pragma once

#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "executor/executor.h"
#include "kernels/features/cell_stats.h"
#include "kernels/views.h"

namespace test {

/// Content of the memory that kernels read.
enum class Fill { kRandom, kLowest, kHighest, kAlternating };
inline constexpr Fill kFills[] = {Fill::kRandom, Fill::kLowest, Fill::kHighest, Fill::kAlternating};

/// Blocks of memory. The same sequence of calls gives the same bytes on every executor.
class KernelMemory {
 public:
  explicit KernelMemory(std::shared_ptr<mt::Executor> executor, Fill fill = Fill::kRandom)
      : executor_(std::move(executor)), fill_(fill) {}

  /// n values, 0..below - 1.
  template <class T>
  std::vector<T> values(size_t n, int below) {
    std::vector<T> values(n);
    for (size_t i = 0; i < n; ++i) values[i] = static_cast<T>(value(i, below));
    return values;
  }

  template <class T>
  T* holding(const std::vector<T>& values) {
    T* block = zeroed<T>(values.size());
    executor_->to_device(block, values.data(), values.size() * sizeof(T));
    executor_->wait();
    return block;
  }
  template <class T>
  T* zeroed(size_t n) {
    return reinterpret_cast<T*>(blocks_.emplace_back(executor_, n * sizeof(T)).data());
  }
  /// Zeroed memory that contents() leaves out.
  template <class T>
  T* scratch(size_t n) {
    return reinterpret_cast<T*>(scratch_.emplace_back(executor_, n * sizeof(T)).data());
  }
  template <class T>
  T* filled(size_t n, int below) {
    return holding(values<T>(n, below));
  }

  /// Bytes of a row, as in mosaic::Picture.
  static int stride(int width) { return (width + 63) / 64 * 64; }
  static mt::Planes planes_at(uint8_t* first, int width, int height) {
    const size_t plane = size_t(stride(width)) * height;
    return {{first, first + plane, first + 2 * plane}, stride(width), width, height};
  }
  mt::Planes planes(int width, int height) {
    return planes_at(filled<uint8_t>(size_t{3} * stride(width) * height, 256), width, height);
  }

  /// Statistics of n cells of `pixels` pixels each, with plausible means and deviations.
  mt::CellStats* stats(int n, int pixels) {
    std::vector<mt::CellStats> stats(n);
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c) {
        const int64_t mean = value(i, 256), deviation = value(i + c, 60);
        stats[i].lab[c] = static_cast<int32_t>(mean * pixels);
        stats[i].lab_square[c] = (mean * mean + deviation * deviation) * pixels;
        stats[i].lab_cross[c] = mean * mean * pixels;  // weakly correlated channels
        stats[i].oklab[c] = value(i, 65536);
      }
    return holding(stats);
  }

  const mt::Tables* tables() { return executor_->tables(); }

  /// The content of the blocks now.
  std::vector<std::vector<uint8_t>> contents() {
    std::vector<std::vector<uint8_t>> contents;
    for (auto& block : blocks_) contents.emplace_back(block.size());
    for (size_t i = 0; i < blocks_.size(); ++i)
      executor_->to_host(contents[i].data(), blocks_[i].data(), blocks_[i].size());
    executor_->wait();
    return contents;
  }

 private:
  int32_t value(size_t i, int below) {
    switch (fill_) {
      case Fill::kLowest:
        return 0;
      case Fill::kHighest:
        return below - 1;
      case Fill::kAlternating:
        return i % 2 ? below - 1 : 0;
      default:
        return static_cast<int32_t>(random_() % static_cast<unsigned>(below));
    }
  }

  std::shared_ptr<mt::Executor> executor_;
  Fill fill_;
  std::deque<mt::DeviceBuffer<uint8_t>> blocks_, scratch_;
  std::mt19937 random_{7};
};

}  // namespace test
