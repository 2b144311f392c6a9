// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "executor/executor.h"
#include "mosaic/pack/pack_photos.h"
#include "mosaic/render/renderer.h"
#include "mosaic/stream/stream_reader.h"

namespace mosaic_gst {

/// The properties of mosaicrender.
struct RenderSettings {
  std::string pack_location;
  double crop_x = 0, crop_y = 0, crop_width = 1, crop_height = 1;
  guint n_threads = 0;
};

/// Reads the packets of a mosaic stream and draws its frames. Streaming thread only, except
/// cancel(). Functions throw mosaic::Error, mt::Cancelled and std::bad_alloc.
class RenderState {
 public:
  /// Makes work in progress end with mt::Cancelled. Any thread. @param on whether it is to end
  void cancel(bool on) { cancelled_ = on; }

  /// Reads a packet; frames are taken up, not drawn.
  mosaic::stream::StreamReader::Result read(std::span<const uint8_t> packet,
                                            const RenderSettings& settings);
  /// Whether a frame was read that can be drawn.
  bool has_frame() const { return renderer_.has_value(); }
  /// How often the header has changed.
  unsigned headers() const { return headers_; }
  /// Of the newest frame, which must exist.
  const mosaic::stream::StreamHeader& header() const { return reader_.header(); }

  /// Draws the newest frame; the picture is complete.
  void draw(const RenderSettings& settings, const mt::FrameView& out);

  /// The next frame must be a keyframe.
  void flush() { reader_.forget(); }
  void stop();

 private:
  void open(const RenderSettings& settings);

  std::atomic<bool> cancelled_ = false;
  std::shared_ptr<mt::Executor> executor_;
  std::shared_ptr<const mosaic::pack::PackPhotos> photos_;
  std::string photos_location_;
  mosaic::stream::StreamReader reader_;
  std::optional<mosaic::Renderer> renderer_;
  unsigned headers_ = 0;  ///< StreamReader::headers() of renderer_
};

}  // namespace mosaic_gst
