// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/element/painter.h"

#include <algorithm>

#include "cpu/cpu_executor.h"
#include "gst/memory/frame_view.h"
#include "gst/memory/mapped_frame.h"
#include "gst/memory/regions_of_interest.h"
#include "gst/messages/errors.h"
#include "gst/messages/log.h"
#include "mosaic/base/error.h"
#include "mosaic/engine/copy_frame.h"
#include "mosaic/engine/frame_memory.h"

#define GST_CAT_DEFAULT mosaic_gst::log_category(mosaic_gst::LogPart::kDrawing)

namespace mosaic_gst {
namespace {

bool same_size(const GstVideoInfo& a, const GstVideoInfo& b) {
  return a.width == b.width && a.height == b.height;
}

mosaic::Shape pixel_aspect(const GstVideoInfo& info) {
  return {info.par_n, info.par_d};
}

}  // namespace

Painter::Painter(GstElement* element, Gpu& gpu, Refused refused)
    : element_(element),
      gpu_(gpu),
      refused_(std::move(refused)),
      loader_(element, [this](const std::string& location, const std::string& instead) {
        refused_(RefusedPhotos{location, instead});
      }) {}

void Painter::interrupt(PoolLoader::Interrupt why, bool on) {
  {
    const std::lock_guard lock(interrupt_mutex_);
    const unsigned bit = 1u << why;
    interrupts_ = on ? interrupts_ | bit : interrupts_ & ~bit;
    interrupted_ = interrupts_ != 0;
  }
  loader_.interrupt(why, on);
}

void Painter::set_format(const GstVideoInfo& in, const GstVideoInfo& out,
                         const DeviceChoice& device) {
  if (device.device != device_.device || device.frames_on_gpu != device_.frames_on_gpu)
    drop_executor();
  if (!same_size(in, in_info_) || !same_size(out, out_info_) ||
      pixel_aspect(in) != pixel_aspect(in_info_)) {
    grid_.reset();
    drop_engine();
  }
  in_info_ = in, out_info_ = out;
  device_ = device;
  forget();
}

void Painter::prepare(const SettingsPtr& settings) {
  const Settings& s = *settings;
  if (settings == prepared_ && grid_) return;
  check(settings);
  if (wants_gpu()) gpu_.find_context(device_.device_id);
  update_grid(s);
  check_memory(s, nullptr);
  loader_.request({.location = s.tile_location,
                   .options = {.side = grid_->side,
                               .draw_size = grid_->draw_size,
                               .augment = s.augment,
                               .cache_location = s.cache_location,
                               .color_variants = static_cast<int>(s.color_variants),
                               .cut = {.shape = cell_, .crop = s.crop}}},
                  static_cast<int>(s.n_threads));
  prepared_ = settings;
}

void Painter::check(const SettingsPtr& settings) {
  const std::vector<std::exception_ptr> problems = settings->problems();
  if (problems.empty()) return;
  if (!has_output_) std::rethrow_exception(problems.front());
  for (const std::exception_ptr& problem : problems) post_warning(element_, problem);
  refused_(RefusedProblems{settings});
}

/// Throws if drawing would take too much memory. A GPU refuses memory that it does not have.
void Painter::check_memory(const Settings& s, const mosaic::Pool* pool) const {
  if (wants_gpu()) return;
  mosaic::check_frame_memory(*grid_, pool, s.frame_settings(0), static_cast<int>(s.lookahead));
}

/// The shape that tile-aspect-ratio asks for.
mosaic::Shape Painter::cell_shape(const Settings& s) {
  if (const auto shape = parse_tile_aspect_ratio(s.tile_aspect_ratio)) return *shape;
  if (!automatic_ || automatic_->location != s.tile_location) {
    const auto found = loader_.commonest_shape(s.tile_location, static_cast<int>(s.n_threads));
    // Without photos, loading them will tell why.
    if (!found) return grid_ ? cell_ : mosaic::Shape{};
    automatic_ = {s.tile_location, *found};
  }
  return automatic_->shape;
}

void Painter::update_grid(const Settings& s) {
  const mosaic::Shape cell = cell_shape(s);
  if (grid_ && s.grid_settings() == grid_of_ && cell == cell_) return;
  try {
    grid_ = mosaic::choose_grid(in_info_.width, in_info_.height, out_info_.width, out_info_.height,
                                s.tile_size, s.size, pixel_aspect(in_info_), cell);
  } catch (const mosaic::Error&) {
    if (!has_output_ || !grid_) throw;
    post_warning(element_, std::current_exception());
    refused_(RefusedGrid{.wanted = s.grid_settings(), .instead = grid_of_});
    return;
  }
  grid_of_ = s.grid_settings();
  cell_ = cell;
  engine_current_ = false;
  GST_INFO_OBJECT(
      element_, "%dx%d to %dx%d in %s memory: %d x %d cells of %d px (%d:%d), drawn at %dx%d px",
      in_info_.width, in_info_.height, out_info_.width, out_info_.height,
      device_.frames_on_gpu ? "CUDA" : "system", grid_->columns, grid_->rows, grid_->side,
      cell_.width, cell_.height, grid_->draw_size.width, grid_->draw_size.height);
  // No warning for the default: small frames rarely have room for that many cells.
  if (s.size == default_settings().size) return;
  const std::string why = mosaic::why_other_size(*grid_, s.tile_size, s.size);
  if (!why.empty())
    GST_ELEMENT_WARNING(element_, LIBRARY, SETTINGS, ("%s", why.c_str()), (nullptr));
}

Painter::Outcome Painter::paint(const Frame& in, GstBuffer* out,
                                std::span<const Frame> later_frames, const SettingsPtr& settings,
                                bool may_wait) try {
  prepare(settings);
  update_executor(settings->n_threads);
  if (!wait_for_pool(*settings, may_wait)) return Outcome::kInterrupted;
  // If there is an engine, it draws with the pool that it has while another one loads.
  if (!engine_ && same_size(in_info_, out_info_) && !is_cropped(in_info_, in.buffer)) {
    has_output_ = true;
    return Outcome::kInputUnchanged;
  }
  if (engine_) update_lookahead(in, later_frames, settings->lookahead);
  return draw(in, out, *settings);
} catch (const mt::Cancelled&) {
  return Outcome::kInterrupted;
}

Painter::Outcome Painter::repeat(const Frame& in, GstBuffer* out, const SettingsPtr& settings) try {
  if (!engine_ || !engine_current_)
    return paint(in, out, /*later_frames=*/{}, settings, /*may_wait=*/false);
  return draw(in, out, *settings, true);
} catch (const mt::Cancelled&) {
  return Outcome::kInterrupted;
}

/// Makes the engine analyse the later frames that it has not analysed yet.
void Painter::update_lookahead(const Frame& in, std::span<const Frame> later_frames,
                               unsigned frames) {
  engine_->set_lookahead(static_cast<int>(frames));
  if (frames == 0) return;
  if (engine_->frames_ahead() == 0) analyse_ahead(in);
  const size_t last = std::min<size_t>(later_frames.size(), frames);
  while (static_cast<size_t>(engine_->frames_ahead()) <= last)
    analyse_ahead(later_frames[engine_->frames_ahead() - 1]);
}

void Painter::analyse_ahead(const Frame& frame) {
  MappedFrame source(in_info_, frame.buffer, map_flag() | GST_MAP_READ);
  try {
    const mt::FrameView from = load(*source);
    if (gpu_executor_ && !copies_frames())
      gpu_.synchronise(*gpu_executor_, frame.buffer, frame.buffer);
    engine_->analyse_ahead(from, *frame.settings, regions_of(frame.buffer));
  } catch (const mt::Cancelled&) {
    throw;
  } catch (...) {
    drop_executor();
    throw;
  }
}

/// The regions of interest of a frame; valid until the next call.
std::span<const mosaic::Region> Painter::regions_of(GstBuffer* frame) {
  read_regions(in_info_, frame, regions_);
  return regions_;
}

/// The view of a mapped frame or, if frames are copied, of its copy on the GPU.
mt::FrameView Painter::load(GstVideoFrame& frame) {
  if (!copies_frames()) return frame_view(frame);
  const mt::FrameView view = in_copy_.allocate(executor_, frame);
  in_copy_.upload(*executor_, frame);
  return view;
}

/// Brings the engine up to date if the pool is ready or may be waited for.
/// @return false: the wait was interrupted
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

/// @param again the last mosaic is drawn again, if there is one
Painter::Outcome Painter::draw(const Frame& frame, GstBuffer* out, const Settings& settings,
                               bool again) {
  GstBuffer* in = frame.buffer;
  const bool in_place = in == out;
  MappedFrame source(in_info_, in, map_flag() | (in_place ? GST_MAP_READWRITE : GST_MAP_READ));
  std::optional<MappedFrame> other;
  if (!in_place) other.emplace(out_info_, out, map_flag() | GST_MAP_WRITE);
  MappedFrame& target = in_place ? source : *other;
  DeviceFrameCopy& target_copy = in_place ? in_copy_ : out_copy_;
  try {
    const mt::FrameView from = load(*source);
    mt::FrameView to = from;
    if (!in_place)
      to = copies_frames() ? out_copy_.allocate(executor_, *target) : frame_view(*target);
    bool must_wait = true;
    if (gpu_executor_ && !copies_frames()) must_wait = gpu_.synchronise(*gpu_executor_, in, out);
    const mosaic::FrameStats* stats = nullptr;
    const bool repeated = again && engine_->repeat(from, to, frame.settings->mix);
    if (repeated)
      GST_DEBUG_OBJECT(element_, "repeating the last picture");
    else if (engine_)
      stats = &engine_->process(from, to, *frame.settings, regions_of(in));
    else
      mosaic::copy_frame(*executor_, from, to);
    if (copies_frames()) target_copy.download(*executor_, *target);
    const bool sequential = settings.pipeline == Pipeline::kSequential;
    if (must_wait || sequential || !settings.silent) executor_->wait();
    has_output_ = true;
    if (repeated) return Outcome::kRepeated;
    if (!stats) return Outcome::kCopied;
    if (settings.keep_intermediate && !settings.intermediate_location.empty())
      mosaic::write_intermediate(
          *executor_, engine_->stages(), drawn_,
          {.folder = settings.intermediate_location, .compression = settings.png_compression});
    count_frame();
    return Outcome::kDrawn;
  } catch (...) {
    recover();
    throw;
  }
}

/// Takes up what the engine says of the frame that it has made a mosaic of.
void Painter::count_frame() {
  last_ = engine_->stats();
  shown_.update(*engine_, pool_);
  ++drawn_;
}

/// Waits for kernels that may still use the frames, after an exception, which is being handled.
void Painter::recover() {
  try {
    throw;
  } catch (const mt::Cancelled&) {
    executor_->wait();
    forget();
  } catch (...) {
    drop_executor();
  }
}

bool Painter::wants_gpu() const {
  return device_.device == Device::kCuda ||
         (device_.device == Device::kAuto && device_.frames_on_gpu);
}

void Painter::update_executor(unsigned threads) {
  const int count = static_cast<int>(threads);
  if (!executor_) {
    if (wants_gpu()) make_gpu_executor(count);
    if (!executor_) executor_ = mt::make_cpu_executor(count);
    executor_->set_cancellation(mt::Cancellation(interrupted_));
    GST_INFO_OBJECT(element_, "drawing on the %s", gpu_executor_ ? "GPU" : "CPU");
  } else if (threads != executor_threads_) {
    executor_->set_threads(count);
  }
  executor_threads_ = threads;
}

/// Makes no executor if the driver rejects the kernels and device=auto; the CPU then draws.
void Painter::make_gpu_executor(int threads) {
  gpu_.find_context(device_.device_id);
  try {
    executor_ = gpu_executor_ = gpu_.make_executor(threads);
    if (!gpu_executor_->driver_warning().empty())
      GST_ELEMENT_WARNING(element_, RESOURCE, SETTINGS,
                          ("Drawing on the GPU: %s", gpu_executor_->driver_warning().c_str()),
                          (nullptr));
  } catch (const mt::NoGpuKernels& error) {
    if (device_.device == Device::kCuda) throw;
    GST_ELEMENT_WARNING(
        element_, RESOURCE, NOT_FOUND,
        ("Drawing on the CPU: %s (update NVIDIA's driver, or set device to cpu)", error.what()),
        ("each frame is copied from the GPU's memory and back"));
  }
}

void Painter::update_engine(const Settings& settings) {
  if (engine_ && engine_current_ && engine_uses_ == settings.uses()) return;
  check_memory(settings, pool_.get());
  drop_engine();  // frees its memory before the next engine allocates
  engine_ = std::make_unique<mosaic::Engine>(*grid_, pool_, settings.uses(), executor_);
  engine_current_ = true;
  engine_uses_ = settings.uses();
  engine_cell_ = cell_;
}

void Painter::forget() {
  if (engine_) engine_->forget();
}

void Painter::drop_engine() {
  engine_.reset();
}

void Painter::drop_executor() {
  engine_.reset();
  in_copy_ = {};
  out_copy_ = {};
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
  has_output_ = false;
}

}  // namespace mosaic_gst
