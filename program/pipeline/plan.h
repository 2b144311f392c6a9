// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "program/options.h"
#include "program/pipeline/media.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// The name of the source of subtitles, which ends by itself when the video does (SideStreams).
constexpr char kSubtitleSource[] = "subtitle-source";

/// The pipeline for what the user asked for. Its mosaictemporal has the name "mosaic", its
/// muxer, if there is one, "out".
struct Plan {
  PipelineLine line;
  bool live = false;
  bool still = false;                           ///< one picture
  GstClockTime duration = GST_CLOCK_TIME_NONE;  ///< of the part that is drawn; NONE: unknown
  /// The part of the input, in the times of the pipeline.
  GstClockTime start = 0, end = GST_CLOCK_TIME_NONE;
  std::string encoder;               ///< empty: none
  std::vector<std::string> notices;  ///< what is left out, and why
};

/// Looks at the input, and chooses decoders and encoders.
/// @param file to write; empty with Options::show
/// Throws Failure or WrongUsage.
Plan make_plan(const Options& options, const std::string& file);

}  // namespace mosaic_program
