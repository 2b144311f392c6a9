// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mosaic/photos/photo_decoder.h"
#include "program/pipeline/framing.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// A photo that was read as the tiles' photos are: in a process of its own, turned as it says, its
/// colours in sRGB.
class PhotoInput {
 public:
  /// @return null: the input is none of these photos, or an animation that GStreamer plays
  /// Throws Failure if it is one that cannot be read.
  static std::shared_ptr<const PhotoInput> read(const std::string& input);

  /// @param name of its file
  PhotoInput(std::string name, mosaic::DecodedPicture picture);

  /// Adds elements that give the photo as a video of one frame, for as long as this object lives.
  /// As a command, the pipeline reads what the decoder's program writes.
  void link(PipelineLine& line) const;

  PictureSize size() const;
  /// What the user should know of how it was read.
  std::vector<std::string> notices() const;

 private:
  std::string name_;  ///< a path or an address
  Commands command_;  ///< writes the pixels
  mosaic::DecodedPicture picture_;
};

}  // namespace mosaic_program
