// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include <memory>
#include <optional>
#include <vector>

#include "executor/executor.h"
#include "mosaic/analysis/scene.h"
#include "mosaic/base/picture.h"

namespace mosaic_program {

/// Finds the cuts of a film as the element finds them, and does nothing else with its frames.
class SceneWatch {
 public:
  struct Options {
    double threshold = 0;       ///< the element's scene-threshold
    int columns = 0, rows = 0;  ///< its flow-size
  };

  explicit SceneWatch(const Options& options);

  /// Whether a frame continues the scene of the one before, begins a new one, or returns to an
  /// earlier one. @param frame mapped, of any format that the element takes
  mosaic::SceneUpdate look_at(GstVideoFrame& frame);
  /// The mean change of luma from the frame that the last one continues, in levels of 8 bits.
  float change() const;

 private:
  void begin(int width, int height);

  Options options_;
  std::shared_ptr<mt::Executor> executor_;
  // Of the size of the newest frame; the first frame of a size continues none.
  std::optional<mosaic::Picture> picture_;
  mt::DeviceBuffer<uint8_t> gray_;
  std::optional<mosaic::SceneDetector> detector_;
  int width_ = 0, height_ = 0;
};

}  // namespace mosaic_program
