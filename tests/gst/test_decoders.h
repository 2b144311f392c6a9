// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Elements that claim to be decoders: `testdecoder` (software) and `testhwdecoder`
/// (hardware). For each input buffer they push a frame of the test picture, 160x120, 25 per second.
#pragma once

#include <functional>

#include "tests/gst/harness.h"

namespace element_test {

/// Caps and frames that a decoder puts out.
struct DecoderOutput {
  std::function<Caps()> caps;
  std::function<Buffer(const GstVideoInfo&, int number)> frame;
};

/// Registers both elements. Another call changes the output of `testhwdecoder`.
void register_decoders(const DecoderOutput& hardware);

/// What run_decoded() returns. It runs a pipeline in which our element is named `m`.
struct DecodedRun {
  std::string error;  ///< empty: the pipeline reached the end of the stream
  GQuark domain = 0;
  int code = 0;
  guint64 frames = 0;  ///< number of output frames of the element
  std::string codec,
      stats_codec;  ///< active-codec: the property, and in `stats`; "(null)" for NULL
};
DecodedRun run_decoded(const std::string& description);

/// Expects a run that reached its end with this decoder.
void expect_decoded_by(const DecodedRun& run, const std::string& codec);
/// Expects a run that require-hardware ended before the first frame.
/// @param why a part of the error message
void expect_refused(const DecodedRun& run, const std::string& why);

}  // namespace element_test
