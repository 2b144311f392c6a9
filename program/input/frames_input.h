// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <glib.h>

#include <string>
#include <vector>

#include "mosaic/base/descriptor.h"
#include "program/input/frame_files.h"
#include "program/pipeline/framing.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// Numbered pictures as a video, read as photos are (PhotoInput): by another process, turned as
/// they say, their colours in sRGB.
class FramesInput {
 public:
  /// Throws Failure if the first picture cannot be read.
  explicit FramesInput(FrameFiles files);
  /// Ends the other process.
  ~FramesInput();
  FramesInput(const FramesInput&) = delete;
  FramesInput& operator=(const FramesInput&) = delete;

  /// Starts the other process, and adds elements that give the pictures that it writes. To be
  /// called once; the pictures come for as long as this object lives.
  /// @param rate frames a second, a fraction ("25/1")
  /// Throws Failure if the process cannot be started.
  void link(PipelineLine& line, const std::string& rate);

  PictureSize size() const { return size_; }  ///< of all pictures
  /// What the user should know of how the first one was read.
  const std::vector<std::string>& notices() const { return notices_; }

  /// Why the pictures ended before the last one; empty: they did not. To be called once, when they
  /// have ended; it waits for the end of the process.
  std::string failure();

 private:
  std::vector<std::string> command() const;

  FrameFiles files_;
  PictureSize size_;
  std::vector<std::string> notices_;
  GPid process_ = -1;                    ///< -1: not started, or ended
  mosaic::Descriptor pixels_, reasons_;  ///< what the process writes: frames, and error messages
};

}  // namespace mosaic_program
