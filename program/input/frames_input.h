// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "program/input/decoder_process.h"
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

  /// Adds elements that give the pictures. One of another size than the first ends them, as
  /// DecoderProcess::failure() then says.
  /// @param rate frames a second, a fraction above 0 ("25/1")
  /// @return the process that reads them, which the caller keeps for as long as pictures are wanted
  /// Throws Failure if it cannot be started.
  std::shared_ptr<DecoderProcess> link(PipelineLine& line, const std::string& rate) const;

  PictureSize size() const { return size_; }  ///< of all pictures
  /// What the user should know of how the first one was read.
  const std::vector<std::string>& notices() const { return notices_; }

 private:
  FrameFiles files_;
  PictureSize size_;
  std::vector<std::string> notices_;
};

}  // namespace mosaic_program
