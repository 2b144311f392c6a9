// SPDX-License-Identifier: LGPL-2.1-or-later
/// A bin of elements between two pads of a test. The harness has no thread of its own, so
/// everything happens within push(), in the same order each time. Unlike GstHarness it allows a bin
/// that does not start.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "tests/gst_pointers.h"

namespace emulated_gpu {

using test::Buffer;
using test::Caps;
using Element = test::ElementPtr;

/// An error on the bus.
struct Error {
  std::string from;  ///< the element's name
  std::string text;
};

class BinHarness {
 public:
  /// Creates the elements, described as for gst-launch, and sets them to PLAYING.
  explicit BinHarness(const std::string& description);
  ~BinHarness();
  BinHarness(const BinHarness&) = delete;
  BinHarness& operator=(const BinHarness&) = delete;

  /// Whether the elements reached PLAYING.
  bool playing() const { return playing_; }
  /// An element of the bin.
  Element find(const std::string& name);

  /// Returns whether the caps were accepted.
  bool set_caps(const GstVideoInfo& info);
  GstFlowReturn push(Buffer buffer);
  /// Flushes, as a seek does.
  void flush();
  void end_stream();

  /// The oldest output buffer that was not yet taken; null if there is none.
  Buffer take();
  /// The format of the last buffer that was taken.
  const GstVideoInfo& output_info() const { return taken_; }

  /// Sets the elements to NULL. Returns whether that succeeded.
  bool stop();
  /// All errors posted until now.
  std::vector<Error> errors();

 private:
  static GstFlowReturn on_buffer(GstPad* pad, GstObject* parent, GstBuffer* buffer);
  static gboolean on_event(GstPad* pad, GstObject* parent, GstEvent* event);
  void send(GstEvent* event);
  void begin_segment();

  GstElement* bin_;
  GstBus* bus_;
  GstPad *source_, *sink_;
  GstVideoInfo info_{}, taken_{};  ///< of the next buffer to come out, and of the last taken
  std::deque<std::pair<Buffer, GstVideoInfo>> out_;
  bool playing_ = false;
};

/// Frames of 25 a second.
GstVideoInfo video_info(GstVideoFormat format, int width, int height);
/// The visible bytes of a frame: every sample of every component.
std::vector<unsigned char> visible_bytes(const GstVideoInfo& info, const Buffer& buffer);

}  // namespace emulated_gpu
