// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>

#include "executor/executor.h"
#include "kernels/finishing/chroma.h"

namespace mosaic {

/// Measures how colourful pictures are, averaged over consecutive ones.
class ChromaMeasure {
 public:
  ChromaMeasure(int height, const std::shared_ptr<mt::Executor>& executor)
      : executor_(executor),
        counts_(executor, static_cast<size_t>(mt::kChromaBins) * strips(height)),
        chroma_(executor, 1) {}

  /// @param step    every step-th pixel of every step-th row counts
  /// @param newest  weight of this picture in the average, 0..1
  void launch(const mt::Planes& from, int step, double newest) {
    const int n = strips(from.height);
    executor_->launch(
        mt::ChromaCounts{
            .tables = executor_->tables(), .from = from, .step = step, .counts = counts_.data()},
        n);
    executor_->launch(mt::ChromaPercentile{.counts = counts_.data(),
                                           .strips = n,
                                           .chroma = chroma_.data(),
                                           .newest = static_cast<float>(newest)},
                      1);
  }
  /// [1], on the device: ChromaPercentile::chroma.
  const float* chroma() const { return chroma_.data(); }

 private:
  static int strips(int height) {
    return (height + mt::ChromaCounts::kRows - 1) / mt::ChromaCounts::kRows;
  }

  std::shared_ptr<mt::Executor> executor_;
  mt::DeviceBuffer<int32_t> counts_;
  mt::DeviceBuffer<float> chroma_;
};

}  // namespace mosaic
