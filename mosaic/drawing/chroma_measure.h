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
      : counts_(executor, static_cast<size_t>(mt::kChromaBins) * strips(height)),
        chroma_(executor, 1) {}

  /// @param step    every step-th pixel of every step-th row counts
  /// @param newest  weight of this picture in the average, 0..1
  void launch(mt::Executor& executor, const mt::Planes& from, int step, double newest) {
    const int n = strips(from.height);
    executor.launch(mt::ChromaCounts{executor.tables(), from, step, counts_.data()}, n);
    executor.launch(
        mt::ChromaPercentile{counts_.data(), n, chroma_.data(), static_cast<float>(newest)}, 1);
  }
  /// [1], on the device: ChromaPercentile::chroma.
  const float* chroma() const { return chroma_.data(); }

 private:
  static int strips(int height) {
    return (height + mt::ChromaCounts::kRows - 1) / mt::ChromaCounts::kRows;
  }

  mt::DeviceBuffer<int32_t> counts_;
  mt::DeviceBuffer<float> chroma_;
};

}  // namespace mosaic
