// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

#include "program/output/output_format.h"
#include "program/pipeline/media.h"

namespace mosaic_program {

/// How a track of sound gets into a file.
struct SoundPath {
  enum class Kind {
    kCopied,   ///< as it is, through the parser
    kEncoded,  ///< anew
    kLeftOut   ///< nothing here decodes it
  };
  Kind kind = Kind::kCopied;
  std::string parser;   ///< empty: none is needed, or there is none
  std::string samples;  ///< caps with what the input says wrongly of them, or not; empty: nothing
  std::string notice;   ///< for the user; empty: nothing to tell
};

/// Sound is copied if the output can hold it. @param format null: it is played
SoundPath sound_path(const Track& track, const OutputFormat* format, const std::string& output);

}  // namespace mosaic_program
