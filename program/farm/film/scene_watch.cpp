// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/film/scene_watch.h"

#include "cpu/cpu_executor.h"
#include "gst/memory/frame_view.h"
#include "kernels/frame/unpack.h"

namespace mosaic_program {

SceneWatch::SceneWatch(const Options& options)
    : options_(options), executor_(mt::make_cpu_executor(0)) {}

void SceneWatch::begin(int width, int height) {
  width_ = width;
  height_ = height;
  picture_.emplace(width, height, executor_);
  gray_ = {executor_, static_cast<size_t>(picture_->planes().stride) * height};
  detector_.emplace(width, height, executor_);
  detector_->set_size(options_.columns, options_.rows);
}

mosaic::SceneUpdate SceneWatch::look_at(GstVideoFrame& frame) {
  const mt::FrameView view = mosaic_gst::frame_view(frame);
  const bool starts = view.width != width_ || view.height != height_;
  if (starts) begin(view.width, view.height);
  executor_->launch(mt::Unpack{view, picture_->planes(), gray_.data()}, view.height);
  detector_->enqueue(gray_.data(), picture_->planes().stride, options_.threshold,
                     starts ? mosaic::Continuation::kStart : mosaic::Continuation::kContinues);
  executor_->wait();
  return detector_->found();
}

float SceneWatch::change() const {
  const int pixels = detector_->columns() * detector_->rows();
  return static_cast<float>(detector_->state().difference) / static_cast<float>(pixels);
}

}  // namespace mosaic_program
