// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "executor/executor.h"
#include "kernels/frame/scene_change.h"
#include "mosaic/analysis/continuation.h"

namespace mosaic {

/// Detects scene changes as ffmpeg's scdet filter does. Two numbers are computed from frames that
/// are scaled down: the mean absolute difference of luma from the frame before, and by how much
/// this differs from the same number of the frame before. The smaller of the two, in percent of
/// full scale, decides. It also detects when a scene returns that was cut off at most kReturns
/// frames ago, as after a flash; the states of such scenes are kept for that long.
class SceneDetector {
 public:
  static constexpr int kReturns = 8;

  SceneDetector(int width, int height, const std::shared_ptr<mt::Executor>& executor);

  /// Frames are scaled down to this size, 480x272 unless set, at least 16x16; a smaller frame keeps
  /// its size. After a change of size the next frame is compared with none, as after forget().
  /// Call when the last enqueue() has been waited for.
  void set_size(int columns, int rows);

  /// Launches the comparison of a frame with those before it. Call when the last enqueue() has been
  /// waited for.
  /// @param gray      [height][stride]
  /// @param threshold 0..100, percent of full scale: a cut if the smaller value is at least this
  /// @param given     kStart or kCut: this is the result, whatever the picture, and no scene is
  ///                  kept; kContinues: the comparison decides
  void enqueue(const uint8_t* gray, int stride, double threshold,
               Continuation given = Continuation::kContinues);

  /// The result of the last enqueue(), once that has been waited for.
  SceneUpdate found() const;
  const mt::SceneState& state() const { return state_[0]; }
  const mt::SceneState* on_device() const { return state_.device(); }

  /// The frame of the last enqueue(), scaled down, where kernels reach it: [rows()][columns()].
  const uint8_t* small() const { return small_.data(); }
  int columns() const { return columns_; }
  int rows() const { return rows_; }

  /// Forgets all frames and kept scenes: the next frame is compared with none, so it is a cut only
  /// if given as one.
  void forget();

 private:
  void store_last();
  int64_t return_limit(int scene, int64_t limit) const;

  std::shared_ptr<mt::Executor> executor_;
  int width_, height_, columns_ = 0, rows_ = 0;
  /// Small pictures: of the newest frame, the one before, and the last one of each kept scene.
  mt::DeviceBuffer<uint8_t> small_, last_;
  std::array<mt::DeviceBuffer<uint8_t>, mt::kKeptScenes> kept_;
  std::array<int, mt::kKeptScenes> frames_left_{};  ///< in which each may return; 0: not kept
  std::array<int64_t, mt::kKeptScenes> motion_{};   ///< difference of their last two frames
  int64_t last_motion_ = 0;                         ///< the same of the last frame
  mt::DeviceBuffer<int64_t> difference_;
  mt::Mirror<mt::SceneState> state_;
  Continuation given_ = Continuation::kStart;  ///< in the last enqueue()
  bool first_ = true;                          ///< the next frame is compared with none
};

}  // namespace mosaic
