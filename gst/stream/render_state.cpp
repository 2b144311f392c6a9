// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/stream/render_state.h"

#include <algorithm>

#include "cpu/cpu_executor.h"
#include "mosaic/base/error.h"

namespace mosaic_gst {

using mosaic::stream::StreamReader;

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
  if (!executor_) {
    executor_ = mt::make_cpu_executor(static_cast<int>(settings.n_threads));
    executor_->set_cancellation(mt::Cancellation(cancelled_));
  }
  renderer_.emplace(header, photos_, executor_, executor_);
  headers_ = reader_.headers();
}

StreamReader::Result RenderState::read(std::span<const uint8_t> packet,
                                       const RenderSettings& settings) {
  const StreamReader::Result result = reader_.read(packet);
  if (result != StreamReader::Result::kFrame) return result;
  const bool opens = !renderer_ || headers_ != reader_.headers();
  if (opens) open(settings);
  renderer_->update(reader_.frame(), opens || reader_.joined());
  return result;
}

void RenderState::draw(const RenderSettings& settings, const mt::FrameView& out) {
  const double width = std::clamp(settings.crop_width, 1e-4, 1.0);
  const double height = std::clamp(settings.crop_height, 1e-4, 1.0);
  renderer_->draw({.width = out.width,
                   .height = out.height,
                   .x = std::clamp(settings.crop_x, 0.0, 1 - width),
                   .y = std::clamp(settings.crop_y, 0.0, 1 - height),
                   .part_width = width,
                   .part_height = height},
                  out);
  executor_->wait();
}

void RenderState::stop() {
  renderer_.reset();
  photos_.reset();
  executor_.reset();
  reader_ = {};
  headers_ = 0;
}

}  // namespace mosaic_gst
