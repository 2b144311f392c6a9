// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/stream/packet_output.h"

#include <new>

namespace mosaic_gst {
namespace {

/// Between keyframes. A receiver that joins a live stream waits for one; in a file one seeks to
/// them, and they take more room than other frames.
constexpr GstClockTime kLiveInterval = 600 * GST_MSECOND, kFileInterval = 6 * GST_SECOND;

mosaic::stream::StreamWriter::Timing timing_of(GstBuffer* frame, GstClockTime interval) {
  static_assert(GST_CLOCK_TIME_NONE == mosaic::stream::kNoTime);
  return {GST_BUFFER_PTS(frame), GST_BUFFER_DURATION(frame), interval};
}

}  // namespace

/// What was written, as a buffer with the times of a frame.
Owned<GstBuffer> PacketOutput::take(GstBuffer* frame) {
  Owned<GstBuffer> packet(gst_buffer_new_memdup(bytes_.data(), bytes_.size()));
  if (!packet) throw std::bad_alloc();
  if (frame)
    gst_buffer_copy_into(packet.get(), frame,
                         static_cast<GstBufferCopyFlags>(GST_BUFFER_COPY_TIMESTAMPS), 0, -1);
  bytes_.clear();
  return packet;
}

Owned<GstBuffer> PacketOutput::write(GstBuffer* frame, bool live,
                                     const mosaic::stream::StreamHeader& header,
                                     const mosaic::stream::FrameState& state) {
  const bool key =
      writer_.write(header, state, timing_of(frame, live ? kLiveInterval : kFileInterval),
                    wants_key_.exchange(false), bytes_);
  Owned<GstBuffer> packet = take(frame);
  if (!key) GST_BUFFER_FLAG_SET(packet.get(), GST_BUFFER_FLAG_DELTA_UNIT);
  return packet;
}

Owned<GstBuffer> PacketOutput::repeat(GstBuffer* frame) {
  if (!writer_.started()) return {};
  writer_.repeat(timing_of(frame, 0), bytes_);
  Owned<GstBuffer> packet = take(frame);
  GST_BUFFER_FLAG_SET(packet.get(), GST_BUFFER_FLAG_DELTA_UNIT);
  return packet;
}

Owned<GstBuffer> PacketOutput::index() {
  if (!writer_.started()) return {};
  writer_.finish(bytes_);
  return take(nullptr);
}

void PacketOutput::stop() {
  wanted_ = false;
  wants_key_ = false;
  writer_ = {};
}

}  // namespace mosaic_gst
