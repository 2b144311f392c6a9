// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/stream/render_state.h"

#include <algorithm>

#include "cpu/cpu_executor.h"
#include "mosaic/base/error.h"

namespace mosaic_gst {

void RenderState::set_memory(bool on_gpu) {
  if (on_gpu == on_gpu_) return;
  on_gpu_ = on_gpu;
  gpu_executor_.reset();
  if (!renderer_) return;
  renderer_.reset();
  reader_.forget();
}

void RenderState::make_executors(guint threads) {
  if (!host_) {
    host_ = mt::make_cpu_executor(static_cast<int>(threads));
    host_->set_cancellation(mt::Cancellation(cancelled_));
  }
  if (!on_gpu_ || gpu_executor_) return;
  gpu_executor_ = gpu_.make_executor(static_cast<int>(threads));
  gpu_executor_->set_cancellation(mt::Cancellation(cancelled_));
}

std::shared_ptr<mt::Executor> RenderState::executor() const {
  if (on_gpu_) return gpu_executor_;
  return host_;
}

/// Opens the pack, and makes the renderer for the header that was read.
void RenderState::open(const RenderSettings& settings) {
  renderer_.reset();
  const mosaic::stream::StreamHeader& header = reader_.header();
  if (settings.pack_location.empty())
    throw mosaic::Error(mosaic::Error::Kind::kSettings,
                        "a mosaic stream needs the photos of the pack " + header.photos.text(),
                        "set pack-location to a copy of the pack with which it was made");
  if (!photos_ || photos_location_ != settings.pack_location) {
    photos_ = std::make_shared<mosaic::pack::PackPhotos>(settings.pack_location, 0, cancelled_);
    photos_location_ = settings.pack_location;
  }
  make_executors(settings.n_threads);
  renderer_.emplace(header, photos_, executor(), host_);
  shown_headers_ = reader_.headers();
}

void RenderState::update(const RenderSettings& settings) {
  const bool opens = !renderer_ || shown_headers_ != reader_.headers();
  if (opens) open(settings);
  renderer_->update(reader_.frame(), opens || reader_.joined());
}

void RenderState::draw(const RenderSettings& settings, GstBuffer* buffer,
                       const mt::FrameView& out) {
  if (on_gpu_) gpu_.synchronise(*gpu_executor_, buffer, buffer);
  const double width = std::clamp(settings.crop_width, 1e-4, 1.0);
  const double height = std::clamp(settings.crop_height, 1e-4, 1.0);
  renderer_->draw({.width = out.width,
                   .height = out.height,
                   .x = std::clamp(settings.crop_x, 0.0, 1 - width),
                   .y = std::clamp(settings.crop_y, 0.0, 1 - height),
                   .part_width = width,
                   .part_height = height},
                  out);
  executor()->wait();
}

void RenderState::stop() {
  renderer_.reset();
  photos_.reset();
  gpu_executor_.reset();
  host_.reset();
  reader_ = {};
  shown_headers_ = 0;
}

}  // namespace mosaic_gst
