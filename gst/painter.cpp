// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/painter.h"

#include <algorithm>

#include "gst/frame_view.h"
#include "gst/mapped_frame.h"
#include "mosaic/error.h"

GST_DEBUG_CATEGORY_EXTERN(gst_mosaic_temporal_debug);
#define GST_CAT_DEFAULT gst_mosaic_temporal_debug

namespace mosaic_gst {
namespace {

bool same_size(const GstVideoInfo& a, const GstVideoInfo& b) {
  return a.width == b.width && a.height == b.height;
}

}  // namespace

void Painter::set_format(const GstVideoInfo& in, const GstVideoInfo& out, const Place& place,
                         Gpu& gpu, int device_id) {
  if (place.device != place_.device || place.frames_on_gpu != place_.frames_on_gpu) drop_executor();
  if (!same_size(in, in_info_) || !same_size(out, out_info_)) {
    grid_.reset();
    drop_engine();
  }
  in_info_ = in, out_info_ = out;
  place_ = place;
  gpu_ = &gpu;
  device_id_ = device_id;
  forget();
}

void Painter::prepare(const SettingsPtr& settings) {
  const Settings& s = *settings;
  if (settings == prepared_ && grid_) return;
  s.check();
  if (wants_gpu()) gpu_->find_context(device_id_);
  if (s.tile_size != grid_tile_size_ || s.size != grid_size_ || !grid_) {
    grid_ = mosaic::choose_grid(in_info_.width, in_info_.height, out_info_.width, out_info_.height,
                                s.tile_size, s.size);
    grid_tile_size_ = s.tile_size;
    grid_size_ = s.size;
    engine_current_ = false;
    GST_INFO_OBJECT(element_, "%dx%d to %dx%d in %s memory: %d x %d cells of %d px, drawn at %d px",
                    in_info_.width, in_info_.height, out_info_.width, out_info_.height,
                    place_.frames_on_gpu ? "CUDA" : "system", grid_->columns, grid_->rows,
                    grid_->side, grid_->draw_side);
  }
  loader_.request({.location = s.tile_location,
                   .options = {.side = grid_->side,
                               .draw_side = grid_->draw_side,
                               .augment = s.augment,
                               .cache_location = s.cache_location,
                               .color_variants = static_cast<int>(s.color_variants)}},
                  static_cast<int>(s.n_threads));
  prepared_ = settings;
}

Painter::Outcome Painter::paint(const Frame& in, GstBuffer* out, std::span<const Frame> behind,
                                const SettingsPtr& settings, bool may_wait) {
  prepare(settings);
  update_executor(settings->n_threads);
  if (!wait_for_pool(*settings, may_wait)) return Outcome::kInterrupted;
  // While another pool loads, the mosaic goes on with the one there is.
  if (!engine_ && same_size(in_info_, out_info_)) return Outcome::kPassed;
  if (engine_) look_ahead(in, behind, settings->lookahead);
  return draw(in, out, *settings);
}

/// Shows the engine the frames that it has not seen yet.
void Painter::look_ahead(const Frame& in, std::span<const Frame> behind, unsigned frames) {
  engine_->look_ahead(static_cast<int>(frames));
  if (frames == 0) return;
  if (engine_->foreseen() == 0) foresee(in);
  const size_t last = std::min<size_t>(behind.size(), frames);
  while (static_cast<size_t>(engine_->foreseen()) <= last) foresee(behind[engine_->foreseen() - 1]);
}

void Painter::foresee(const Frame& frame) {
  MappedFrame source(in_info_, frame.buffer, map_flag() | GST_MAP_READ);
  try {
    const mt::FrameView from = load(*source);
    if (gpu_executor_ && !staged()) gpu_->order(*gpu_executor_, frame.buffer, frame.buffer);
    engine_->foresee(from, *frame.settings);
  } catch (...) {
    drop_executor();
    throw;
  }
}

/// A mapped frame where kernels reach it.
mt::FrameView Painter::load(GstVideoFrame& frame) {
  if (!staged()) return frame_view(frame);
  const mt::FrameView view = in_stage_.place(executor_, frame);
  in_stage_.load(*executor_, frame);
  return view;
}

/// Brings the engine up to date if there is a pool, or it is worth waiting for one.
/// @return false when the waiting was interrupted
bool Painter::wait_for_pool(const Settings& settings, bool may_wait) {
  if (!may_wait && !loader_.ready()) return true;
  const auto pool = loader_.wait();
  if (!pool) return false;
  if (pool != pool_) {
    pool_ = pool;
    engine_current_ = false;
  }
  update_engine(settings);
  return true;
}

Painter::Outcome Painter::draw(const Frame& frame, GstBuffer* out, const Settings& settings) {
  GstBuffer* in = frame.buffer;
  const bool in_place = in == out;
  MappedFrame source(in_info_, in, map_flag() | (in_place ? GST_MAP_READWRITE : GST_MAP_READ));
  std::optional<MappedFrame> other;
  if (!in_place) other.emplace(out_info_, out, map_flag() | GST_MAP_WRITE);
  MappedFrame& target = in_place ? source : *other;
  FrameStage& target_stage = in_place ? in_stage_ : out_stage_;
  try {
    const mt::FrameView from = load(*source);
    mt::FrameView to = from;
    if (!in_place) to = staged() ? out_stage_.place(executor_, *target) : frame_view(*target);
    bool must_wait = true;
    if (gpu_executor_ && !staged()) must_wait = gpu_->order(*gpu_executor_, in, out);
    const mosaic::FrameStats* stats = nullptr;
    if (engine_)
      stats = &engine_->process(from, to, *frame.settings);
    else
      mosaic::copy_frame(*executor_, from, to);
    if (staged()) target_stage.store(*executor_, *target);
    const bool sequential = settings.config.pipeline == Pipeline::kSequential;
    if (must_wait || sequential || !settings.silent) executor_->wait();
    if (!stats) return Outcome::kScaled;
    if (settings.config.keep_intermediate)
      mosaic::write_intermediate(*executor_, engine_->stages(), drawn_,
                                 settings.config.intermediate);
    last_ = *stats;
    shown_.update(*engine_, pool_);
    ++drawn_;
    return Outcome::kDrawn;
  } catch (...) {
    drop_executor();  // which may be at the frames yet
    throw;
  }
}

bool Painter::wants_gpu() const {
  return place_.device == Device::kCuda || (place_.device == Device::kAuto && place_.frames_on_gpu);
}

void Painter::update_executor(unsigned threads) {
  const int count = static_cast<int>(threads);
  if (!executor_) {
    if (wants_gpu()) make_gpu_executor(count);
    if (!executor_) executor_ = mt::make_cpu_executor(count);
    GST_INFO_OBJECT(element_, "drawing on the %s", gpu_executor_ ? "GPU" : "CPU");
  } else if (threads != executor_threads_) {
    executor_->set_threads(count);
  }
  executor_threads_ = threads;
}

/// Leaves none where the GPU cannot draw and the user left us the choice.
void Painter::make_gpu_executor(int threads) {
  gpu_->find_context(device_id_);
  try {
    executor_ = gpu_executor_ = gpu_->make_executor(threads);
  } catch (const mt::NoGpuKernels& error) {
    if (place_.device == Device::kCuda) throw;
    GST_ELEMENT_WARNING(element_, RESOURCE, NOT_FOUND,
                        ("Frames are drawn on the CPU: %s", error.what()),
                        ("each is copied from the GPU's memory and back"));
  }
}

void Painter::update_engine(const Settings& settings) {
  if (engine_ && engine_current_ && engine_uses_ == settings.max_tile_uses) return;
  drop_engine();  // its memory goes before the next one's comes
  engine_ = std::make_unique<mosaic::Engine>(*grid_, pool_, settings.max_tile_uses, executor_);
  engine_current_ = true;
  engine_uses_ = settings.max_tile_uses;
}

void Painter::forget() {
  if (engine_) engine_->forget();
}

void Painter::drop_engine() {
  if (engine_) executor_->wait();  // which may have times to tell it
  engine_.reset();
}

void Painter::drop_executor() {
  engine_.reset();
  in_stage_ = {};
  out_stage_ = {};
  gpu_executor_.reset();
  executor_.reset();
}

void Painter::stop() {
  loader_.stop();
  drop_executor();
  pool_.reset();
  prepared_.reset();
  grid_.reset();
  in_info_ = out_info_ = {};
  last_ = {};
  shown_ = {};
  drawn_ = 0;
}

}  // namespace mosaic_gst
