// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "cuda/executor.h"
#include "cuda/scene.h"

namespace mosaic {

/// Tells when the scene changes, as ffmpeg's scdet filter does: by the smaller of the mean absolute
/// difference of luma and of its change since the frame before, in percent of full scale, on a
/// picture of 480x272.
class SceneDetector {
 public:
  SceneDetector(int width, int height, const std::shared_ptr<mt::Executor>& executor);

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
  int width_, height_, columns_, rows_;
  mt::DeviceBuffer<uint8_t> small_;
  mt::DeviceBuffer<int64_t> difference_;
  mt::Mirror<mt::SceneState> state_;
  bool first_ = true;
};

}  // namespace mosaic
