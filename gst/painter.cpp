// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/painter.h"

#include "gst/frame_view.h"
#include "mosaic/error.h"

GST_DEBUG_CATEGORY_EXTERN(gst_mosaic_temporal_debug);
#define GST_CAT_DEFAULT gst_mosaic_temporal_debug

namespace mosaic_gst {

void Painter::set_format(const GstVideoInfo& in, const GstVideoInfo& out) {
  const int sizes[] = {GST_VIDEO_INFO_WIDTH(&in), GST_VIDEO_INFO_HEIGHT(&in),
                       GST_VIDEO_INFO_WIDTH(&out), GST_VIDEO_INFO_HEIGHT(&out)};
  if (sizes[0] != in_width_ || sizes[1] != in_height_ || sizes[2] != out_width_ ||
      sizes[3] != out_height_) {
    in_width_ = sizes[0], in_height_ = sizes[1], out_width_ = sizes[2], out_height_ = sizes[3];
    grid_.reset();
    engine_.reset();
  }
  forget();
}

void Painter::prepare(const Settings& s) {
  if (s.device == Device::kCuda)
    throw mosaic::Error(mosaic::Error::Kind::kSettings,
                        "device=cuda: this build has no CUDA support", "set device to auto or cpu");
  if (!grid_ || s.tile_size != grid_tile_size_ || s.size != grid_size_) {
    grid_ =
        mosaic::choose_grid(in_width_, in_height_, out_width_, out_height_, s.tile_size, s.size);
    grid_tile_size_ = s.tile_size;
    grid_size_ = s.size;
    engine_current_ = false;
    GST_INFO("%dx%d to %dx%d in system memory: %d x %d cells of %d px, drawn at %d px", in_width_,
             in_height_, out_width_, out_height_, grid_->columns, grid_->rows, grid_->side,
             grid_->draw_side);
  }
  loader_.request({.location = s.tile_location,
                   .options = {.side = grid_->side,
                               .draw_side = grid_->draw_side,
                               .augment = s.augment,
                               .cache_location = s.cache_location}},
                  static_cast<int>(s.n_threads));
}

Painter::Outcome Painter::paint(GstVideoFrame& in, GstVideoFrame& out, const Settings& settings,
                                bool may_wait, int64_t solve_budget_ns) {
  prepare(settings);
  update_executor(settings.n_threads);
  if (may_wait || loader_.ready()) {
    const auto pool = loader_.wait();
    if (!pool) return Outcome::kInterrupted;
    if (pool != pool_) {
      pool_ = pool;
      engine_current_ = false;
    }
    update_engine(settings);
  }
  const mt::FrameView from = frame_view(in), to = &in == &out ? from : frame_view(out);
  // While another pool loads, the mosaic goes on with the one there is.
  if (engine_) {
    const mosaic::FrameStats& stats =
        engine_->process(from, to, settings.frame_settings(solve_budget_ns));
    executor_->wait();
    last_ = stats;
    return Outcome::kDrawn;
  }
  if (&in != &out) mosaic::copy_frame(*executor_, from, to);
  return Outcome::kPassed;
}

void Painter::update_executor(unsigned threads) {
  if (!executor_)
    executor_ = mt::make_cpu_executor(static_cast<int>(threads));
  else if (threads != executor_threads_)
    executor_->set_threads(static_cast<int>(threads));
  executor_threads_ = threads;
}

void Painter::update_engine(const Settings& settings) {
  if (engine_ && engine_current_ && engine_uses_ == settings.max_tile_uses) return;
  engine_.reset();  // its memory goes before the next one's comes
  engine_ = std::make_unique<mosaic::Engine>(*grid_, pool_, settings.max_tile_uses, executor_);
  engine_current_ = true;
  engine_uses_ = settings.max_tile_uses;
}

void Painter::forget() {
  if (engine_) engine_->forget();
}

void Painter::stop() {
  loader_.stop();
  engine_.reset();
  pool_.reset();
  executor_.reset();
  grid_.reset();
  in_width_ = in_height_ = out_width_ = out_height_ = 0;
  last_ = {};
}

}  // namespace mosaic_gst
