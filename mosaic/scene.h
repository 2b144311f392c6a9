// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "cuda/executor.h"
#include "cuda/scene.h"

namespace mosaic {

/// Tells when the scene changes, as ffmpeg's scdet filter does: by the smaller of the mean absolute
/// difference of luma and of its change since the frame before, in percent of full scale, on a
/// picture made small.
class SceneDetector {
 public:
  SceneDetector(int width, int height, const std::shared_ptr<mt::Executor>& executor);

  /// Frames are made this small, or stay as they are where that is smaller still; 480x272 unless
  /// set, at least 16x16. After another size the next frame has none before it, as after forget().
  /// Call when the last look() has been waited for.
  void set_size(int columns, int rows);

  /// Has a frame looked at.
  /// @param gray      [height][stride]
  /// @param threshold 0..100: the least change that is a cut
  /// @param force     a cut, whatever the picture
  void look(mt::Executor& executor, const uint8_t* gray, int stride, double threshold, bool force);

  /// Whether the last look(), once waited for, found a cut.
  bool cut() const { return state_[0].cut; }
  const mt::SceneState* on_device() const { return state_.device(); }

  /// The next frame has none before it: it is no cut, unless forced.
  void forget() { first_ = true; }

 private:
  std::shared_ptr<mt::Executor> executor_;
  int width_, height_, columns_ = 0, rows_ = 0;
  mt::DeviceBuffer<uint8_t> small_;
  mt::DeviceBuffer<int64_t> difference_;
  mt::Mirror<mt::SceneState> state_;
  bool first_ = true;
};

}  // namespace mosaic
