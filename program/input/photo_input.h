// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mosaic/photos/decoding/photo_decoder.h"
#include "program/input/fetched_picture.h"
#include "program/pipeline/framing.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// A photo that was read as the tiles' photos are: in a process of its own, turned as it says, its
/// colours in sRGB.
class PhotoInput {
 public:
  /// @return null: the input is no photo of these formats; it may be a film
  /// Throws Failure if it is one that cannot be read.
  static std::shared_ptr<const PhotoInput> read(const std::string& input);

  /// @param name of its file
  PhotoInput(std::string name, mosaic::DecodedPicture picture);

  /// Adds elements that give the photo as a video of one frame, for as long as this object lives.
  /// As a command, the pipeline reads what the decoder's program writes.
  void link(PipelineLine& line) const;

  PictureSize size() const;
  /// Where it can be read for as long as this object lives.
  std::string path() const { return fetched_ ? fetched_->path() : name_; }
  /// For how many milliseconds each picture of an animation is shown; of a photo, and of an
  /// animation of which only the first picture can be read, at most one number.
  const std::vector<int>& delays() const { return delays_; }
  bool is_animation() const { return delays_.size() > 1; }
  /// What the user should know of how it was read.
  std::vector<std::string> notices() const;
  /// Of these, what is also true of an animation of which all pictures are read.
  std::vector<std::string> notices_of_colours() const;

 private:
  std::string name_;  ///< a path or an address
  Commands command_;  ///< writes the pixels
  mosaic::DecodedPicture picture_;
  std::vector<int> delays_;
  std::optional<FetchedPicture> fetched_;
};

}  // namespace mosaic_program
