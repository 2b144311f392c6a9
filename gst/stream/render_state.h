// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "executor/executor.h"
#include "gst/memory/gpu.h"
#include "gst/stream/render_settings.h"
#include "mosaic/pack/pack_photos.h"
#include "mosaic/render/renderer.h"
#include "mosaic/stream/stream_reader.h"

namespace mosaic_gst {

/// Reads the packets of a mosaic stream and draws its frames. Streaming thread only, except
/// cancel(). Functions throw mosaic::Error, mt::Cancelled, mt::GpuError and std::bad_alloc.
class RenderState {
 public:
  /// @param gpu must outlive this
  explicit RenderState(Gpu& gpu) : gpu_(gpu) {}

  /// Makes work in progress end with mt::Cancelled. Any thread. @param on whether it is to end
  void cancel(bool on) { cancelled_ = on; }

  /// Reads a packet. A frame is to be taken up by update() before the next is read.
  mosaic::stream::StreamReader::Result read(std::span<const uint8_t> packet) {
    return reader_.read(packet);
  }
  /// How often the header has changed; 0: none was read yet.
  unsigned headers() const { return reader_.headers(); }
  /// Of the newest frame.
  const mosaic::stream::StreamHeader& header() const { return reader_.header(); }

  /// Sets where pictures are. After a change the next frame must be a keyframe.
  void set_memory(bool on_gpu);
  bool on_gpu() const { return on_gpu_; }

  /// Takes up the frame that was read, without drawing it.
  void update(const RenderSettings& settings);
  /// Whether there is a frame that can be drawn.
  bool has_frame() const { return renderer_.has_value(); }
  /// Draws the newest frame; the picture is complete. @param buffer mapped, for `out`
  void draw(const RenderSettings& settings, GstBuffer* buffer, const mt::FrameView& out);

  /// The next frame must be a keyframe.
  void flush() { reader_.forget(); }
  void stop();

 private:
  void open(const RenderSettings& settings);
  void make_executors(guint threads);
  /// That draws. After make_executors().
  std::shared_ptr<mt::Executor> executor() const;

  Gpu& gpu_;
  bool on_gpu_ = false;
  std::atomic<bool> cancelled_ = false;
  std::shared_ptr<mt::Executor> host_;             ///< on the CPU
  std::shared_ptr<mt::GpuExecutor> gpu_executor_;  ///< null: none was needed yet
  std::shared_ptr<const mosaic::pack::PackPhotos> photos_;
  std::string photos_location_;
  mosaic::stream::StreamReader reader_;
  std::optional<mosaic::Renderer> renderer_;
  unsigned shown_headers_ = 0;  ///< StreamReader::headers() of renderer_
};

}  // namespace mosaic_gst
