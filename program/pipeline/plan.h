// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program/input/decoder_process.h"
#include "program/input/media.h"
#include "program/input/photo_input.h"
#include "program/options/options.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// The pipeline for what the user asked for. Its mosaictemporal has the name "mosaic", its
/// muxer, if there is one, "out".
struct Plan {
  PipelineLine line;
  std::shared_ptr<const PhotoInput> photo;  ///< the photo or animation that the line reads
  /// What reads numbered pictures, or those of an animation.
  std::shared_ptr<DecoderProcess> pictures;
  bool live = false;
  bool can_reconnect = false;      ///< the source, "in", can be started again
  bool still = false;              ///< one picture
  bool keeps_description = false;  ///< a film is made of a file, which may say something of itself
  GstClockTime promised = GST_CLOCK_TIME_NONE;  ///< duration that the container states; NONE: none
  bool same_frames = false;                     ///< every picture in the input becomes a frame
  GstClockTime duration = GST_CLOCK_TIME_NONE;  ///< of the part that is drawn; NONE: unknown
  /// The part of the input, in its stream time.
  GstClockTime start = 0, end = GST_CLOCK_TIME_NONE;
  /// Where the input is read from; what is between it and `start` is decoded and left out. Unset:
  /// from `start`.
  std::optional<GstClockTime> seek;
  std::string encoder;               ///< empty: none
  std::vector<std::string> notices;  ///< what is left out, and why
  /// Is called with the pipeline before it starts; empty: nothing is.
  std::function<void(GstElement* pipeline)> prepare;
};

/// Looks at the input, and chooses decoders and encoders.
/// @param file to write; empty with Options::show
/// Throws Failure or WrongUsage.
Plan make_plan(const Options& options, const std::string& file);

/// The name of the appsrc in make_joined_plan().
constexpr char kJoinedVideo[] = "joined-video";

/// The same for a film whose pictures are encoded already: an appsrc gives them, and the rest comes
/// from the input. There is no mosaictemporal.
Plan make_joined_plan(const Options& options, const std::string& file);

}  // namespace mosaic_program
