// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <atomic>
#include <vector>

#include "gst/pointers.h"
#include "mosaic/stream/stream_writer.h"

namespace mosaic_gst {

/// The packets that mosaictemporal sends where downstream wants a stream of indices. Streaming
/// thread only, except want_key().
class PacketOutput {
 public:
  /// Whether packets are sent instead of pictures.
  void set_wanted(bool wanted) { wanted_ = wanted; }
  bool wanted() const { return wanted_; }

  /// Makes the next packet a keyframe. Any thread.
  void want_key() { wants_key_ = true; }

  /// The packet of a frame. @param frame whose times the packet gets
  /// @param live in live streams keyframes are more frequent, because receivers join at any time
  Owned<GstBuffer> write(GstBuffer* frame, bool live, const mosaic::stream::StreamHeader& header,
                         const mosaic::stream::FrameState& state);
  /// The packet that shows the last frame again; null: there is none.
  Owned<GstBuffer> repeat(GstBuffer* frame);
  /// The index that ends a file; null: no frame was sent.
  Owned<GstBuffer> index();

  /// Forgets what was sent.
  void stop();

 private:
  Owned<GstBuffer> take(GstBuffer* frame);

  bool wanted_ = false;
  std::atomic<bool> wants_key_ = false;
  mosaic::stream::StreamWriter writer_;
  std::vector<uint8_t> bytes_;
};

}  // namespace mosaic_gst
