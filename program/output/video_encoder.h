// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// How a video can be encoded.
struct Codec {
  std::string name;                   ///< for users: "h264"
  std::string caps;                   ///< the media type: "video/x-h264"
  std::vector<std::string> encoders;  ///< best first
  std::string parser;
};

/// All that is known, "h264" first.
const std::vector<Codec>& codecs();

/// An encoder that was linked.
struct LinkedEncoder {
  std::string name;    ///< of its factory
  std::string notice;  ///< what the user has to know; empty: nothing
};

/// Links an encoder, which is given 8-bit 4:2:0, and a parser.
/// @param parser empty, or not installed: none
/// @param quality the encoder's quantiser, 0 (best) to 63; at most the highest that it has (51 for
/// H.264)
/// @param threads as in Options::encoder_threads
LinkedEncoder link_video_encoder(PipelineLine& line, const std::string& encoder,
                                 const std::string& parser, int quality, int threads);

/// Whether an encoder or decoder is NVIDIA's.
bool is_hardware(const std::string& element);

}  // namespace mosaic_program
