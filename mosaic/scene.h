// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "cuda/executor.h"
#include "cuda/scene.h"

namespace mosaic {

/// Tells when the scene changes, as ffmpeg's scdet filter does: by the smaller of the mean absolute
/// difference of luma and of its change since the frame before, in percent of full scale, on a
/// picture made small. Tells, too, when a scene comes back that was gone for no more than
/// kReturns frames, as after a flash: what was known of it is worth keeping for so long.
class SceneDetector {
 public:
  static constexpr int kReturns = 8;

  SceneDetector(int width, int height, const std::shared_ptr<mt::Executor>& executor);

  /// Frames are made this small, or stay as they are where that is smaller still; 480x272 unless
  /// set, at least 16x16. After another size the next frame has none before it, as after forget().
  /// Call when the last look() has been waited for.
  void set_size(int columns, int rows);

  /// Has a frame looked at, when the last look() has been waited for.
  /// @param gray      [height][stride]
  /// @param threshold 0..100: the least change that is a cut
  /// @param force     a cut, whatever the picture; no scene is kept
  void look(mt::Executor& executor, const uint8_t* gray, int stride, double threshold, bool force);

  /// What the last look(), once waited for, found.
  bool cut() const { return state_[0].cut; }
  const mt::SceneState& state() const { return state_[0]; }
  const mt::SceneState* on_device() const { return state_.device(); }

  /// The frame of the last look(), made small, where kernels reach it: [rows()][columns()].
  const uint8_t* small() const { return small_.data(); }
  int columns() const { return columns_; }
  int rows() const { return rows_; }

  /// The next frame has none before it: it is no cut, unless forced. No scene is kept.
  void forget();

 private:
  void turn_page();
  int64_t near(int scene, int64_t limit) const;

  std::shared_ptr<mt::Executor> executor_;
  int width_, height_, columns_ = 0, rows_ = 0;
  /// Of the newest frame, the one before, and the last ones of the scenes that are kept.
  mt::DeviceBuffer<uint8_t> small_, last_;
  std::array<mt::DeviceBuffer<uint8_t>, mt::kKeptScenes> kept_;
  std::array<int, mt::kKeptScenes> frames_left_{};  ///< in which it may return; 0: none is kept
  std::array<int64_t, mt::kKeptScenes> motion_{};   ///< of their last frames from those before
  int64_t last_motion_ = 0;                         ///< of the last frame
  mt::DeviceBuffer<int64_t> difference_;
  mt::Mirror<mt::SceneState> state_;
  bool first_ = true;
};

}  // namespace mosaic
