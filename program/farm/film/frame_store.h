// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gst/pointers.h"
#include "mosaic/base/descriptor.h"

namespace mosaic_program {

/// A file of uncompressed frames, one after another, each as GStreamer lays out a frame of its
/// format and size by default.
class FrameStore {
 public:
  /// Writes to a file, which is made with the first frame.
  explicit FrameStore(std::string path) : path_(std::move(path)) {}

  /// @param caps of the frame @return whether it was written; if not, failure() says why
  bool write(GstCaps* caps, GstBuffer* frame);
  const std::string& failure() const { return failure_; }
  int64_t count() const { return count_; }

 private:
  bool pack(GstCaps* caps, GstBuffer* frame);
  void write_packed();

  std::string path_, failure_;
  mosaic::Descriptor file_;
  mosaic_gst::Owned<GstCaps> caps_;
  GstVideoInfo info_;
  mosaic_gst::Owned<GstBuffer> packed_;  ///< a frame as the file has it
  int64_t count_ = 0;
};

/// Reads such a file, one frame at a time.
class StoredFrames {
 public:
  /// Throws TryAgain if it cannot be opened.
  StoredFrames(std::string path, size_t frame_bytes);

  /// Throws TryAgain if the frame is not there. @param number of the frame in the file, from 0
  std::span<const uint8_t> read(int64_t number);

 private:
  std::string path_;
  mosaic::Descriptor file_;
  std::vector<uint8_t> frame_;
};

}  // namespace mosaic_program
