// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

#include "program/input/media.h"
#include "program/output/output_format.h"

namespace mosaic_program {

/// How a track of sound gets into a file.
struct SoundPath {
  enum class Kind {
    kCopied,   ///< as it is, through the parser
    kEncoded,  ///< anew
    kLeftOut   ///< nothing here decodes it
  };
  Kind kind = Kind::kCopied;
  std::string parser;  ///< empty: none is needed, or there is none
  std::string
      samples;  ///< caps that correct or complete what the input says of its samples; empty: none
  std::string notice;  ///< for the user; empty: nothing to tell
};

/// Sound is copied if the output can hold it. Throws Failure if it cannot be encoded here.
/// @param format null: it is played @param output the file's name, for messages
SoundPath sound_path(const Track& track, const OutputFormat* format, const std::string& output);

}  // namespace mosaic_program
