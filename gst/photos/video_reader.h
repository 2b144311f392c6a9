// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#include <atomic>
#include <functional>
#include <string>

#include "gst/pointers.h"

namespace mosaic_gst {

using Sample = Owned<GstSample>;

/// Decodes the video stream of a file or URI in its own pipeline. Not thread-safe.
/// Functions throw mosaic::Error: kRead, with the cause that GStreamer gives, if the video cannot
/// be read, has no video stream or gives no frame for a while; kCancelled if `cancelled` becomes
/// true.
class VideoReader {
 public:
  /// Opens the video and waits for its first frame.
  /// @param label name of the video in messages
  VideoReader(const std::string& uri, std::string label, const std::atomic<bool>& cancelled);
  ~VideoReader();
  VideoReader(const VideoReader&) = delete;
  VideoReader& operator=(const VideoReader&) = delete;

  GstClockTime duration() const { return duration_; }
  double frame_rate() const;                          ///< 0: unknown or variable
  const GstVideoInfo& info() const { return info_; }  ///< of the first frame

  /// The frame at `time` if `exact`, otherwise the key frame that a seek to `time` leads to; null
  /// if the video ends before it.
  Sample frame_at(GstClockTime time, bool exact);

  /// The next frame in order, from the first one on; null at the end. Not to be called after
  /// frame_at().
  Sample next();

  /// The stream time of a frame.
  static GstClockTime time_of(const Sample& sample);

 private:
  GstElement* add(const char* factory);
  Sample wait_for(const std::function<GstSample*()>& try_pull);
  [[noreturn]] void fail(const std::string& why) const;

  std::string uri_, label_;
  const std::atomic<bool>& cancelled_;
  Owned<GstElement> pipeline_;
  GstAppSink* sink_ = nullptr;  ///< owned by the pipeline
  GstClockTime duration_ = 0;
  GstVideoInfo info_{};
  bool playing_ = false;
};

}  // namespace mosaic_gst
