// SPDX-License-Identifier: LGPL-2.1-or-later
/// Clips of H.264 and HEVC, and pipelines that decode them, for tests of the emulated decoder.
#pragma once

#include <gst/gst.h>

#include <string>
#include <vector>

#include "tests/emulated-gpu/bin_harness.h"
#include "tests/gst_elements.h"

namespace emulated_gpu {

struct Picture {
  GstClockTime pts;
  int width, height;
  std::vector<unsigned char> bytes;  ///< the visible ones, by component

  bool operator==(const Picture& other) const {
    return pts == other.pts && width == other.width && height == other.height &&
           bytes == other.bytes;
  }
};

/// Expects the same pictures at the same times.
void expect_equal(const std::vector<Picture>& wanted, const std::vector<Picture>& got);

/// A description, as for gst-launch, of a source that decodes a clip.
std::string decode(const std::string& clip, const std::string& decoder);

using test::has_element;
bool has_property(const std::string& element, const char* property);
/// "" if GStreamer has all that makes and decodes clips, otherwise what is missing.
/// @param codec  "h264" or "h265"
std::string missing_elements(const std::string& codec);

struct Clip {
  int width = 320, height = 180, frames = 40;
  /// Options: of x264enc, and for "h265" of x265enc's option-string. "": B frames, several
  /// references and a keyframe every 16 frames.
  std::string encoder;
  std::string codec = "h264";  ///< or "h265"
};
/// Files in a folder that is removed with the object.
class Clips {
 public:
  Clips();
  ~Clips();
  Clips(const Clips&) = delete;
  Clips& operator=(const Clips&) = delete;

  /// Encodes a moving picture into an MP4 file or, if `raw`, a file of access units (Annex B).
  std::string make(const Clip& clip, bool raw = false);
  /// A file of several raw ones.
  std::string join(const std::vector<std::string>& files);

 private:
  std::string next_name(const std::string& suffix);

  std::string folder_;
  std::vector<std::string> files_;
};

/// A pipeline whose pictures the test takes. Every wait has a limit of a minute.
class Player {
 public:
  /// @param elements  as for gst-launch; the last is followed by an appsink
  explicit Player(const std::string& elements);
  ~Player();
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// Takes up to `count` pictures, fewer at the end of the stream or after an error.
  std::vector<Picture> take(std::size_t count = SIZE_MAX);
  /// Takes the next buffer; null at the end of the stream or after an error.
  Buffer take_buffer(GstVideoInfo* info);
  void seek(GstClockTime to);
  /// Changes the caps of a capsfilter.
  void set_caps(const char* name, const char* caps);
  /// Sets the elements to NULL. Returns whether that succeeded.
  bool stop();

  /// Errors posted until now.
  std::vector<Error> errors;
  bool ended = false;  ///< whether the stream came to its end

 private:
  void read_bus();

  GstElement *pipeline_, *sink_;
  GstBus* bus_;
};

/// All pictures of a pipeline that must not fail.
std::vector<Picture> play(const std::string& elements);

}  // namespace emulated_gpu
