// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "cuda/executor.h"

namespace mosaic {

/// Tells how much the scene changed, as ffmpeg's scdet filter does: the smaller of the mean
/// absolute difference of luma and of its change since the frame before, in percent of full scale,
/// on a picture of 480x272.
class SceneDetector {
 public:
  SceneDetector(int width, int height, std::shared_ptr<mt::Executor> executor);

  /// @param gray [height][stride]
  /// @return 0..100; 0 for the first frame after construction or forget()
  double score(mt::Executor& executor, const uint8_t* gray, int stride);

  void forget();

 private:
  int width_, height_, columns_, rows_;
  mt::Buffer<uint8_t> small_;
  mt::Buffer<int64_t> difference_;
  int frames_ = 0;
  double last_ = 0;  ///< mean absolute difference, percent
};

}  // namespace mosaic
