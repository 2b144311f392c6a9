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

/// Links an encoder, which takes 8 bits with chroma of half the resolution, and a parser.
/// @param parser empty, or not installed: none
/// @param quality 0 (best) to 63, in the encoder's own numbers; above its worst that is taken
LinkedEncoder link_video_encoder(PipelineLine& line, const std::string& encoder,
                                 const std::string& parser, int quality);

/// Whether an encoder or decoder is NVIDIA's.
bool is_hardware(const std::string& element);

/// Whether GStreamer has an element of this name.
bool have_element(const std::string& name);

/// The first that is installed. @param what they encode, for the message
/// Throws Failure if none is.
std::string first_of(const std::vector<std::string>& elements, const std::string& what);

}  // namespace mosaic_program
