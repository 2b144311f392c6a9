// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>
#include <vector>

#include "gst/pointers.h"

namespace mosaic_program {

/// A piece of a film's video in a file of its own, encoded.
struct EncodedPiece {
  mosaic_gst::Owned<GstCaps> caps;
  /// In the order of decoding; the first is a keyframe. Their times are the file's.
  std::vector<mosaic_gst::Owned<GstBuffer>> packets;
  /// For each packet the number of its frame in the order of showing, from 0.
  std::vector<int64_t> places;

  /// By how many places a frame is decoded before it is shown, at most.
  int64_t delay() const;
  /// Of the packets and the description of the codec: the same for each encoding of the same
  /// frames, whereas the file has a number of its own. XXH3 with 128 bits, hexadecimal digits.
  std::string hash() const;
};

/// Reads a Matroska file. Throws Failure if it cannot be read, or TryAgain if it cannot be now.
EncodedPiece read_piece(const std::string& path);

/// Decodes a Matroska file. @param frames how many it has
/// @return the MD5 of all frames in I420, without padding, as hexadecimal digits
/// Throws Failure.
std::string md5_of_frames(const std::string& path, int64_t& frames);

}  // namespace mosaic_program
