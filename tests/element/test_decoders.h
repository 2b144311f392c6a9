// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Elements that say that they are decoders: `testdecoder` (software) and `testhwdecoder`
/// (hardware). Whatever comes in, a frame of the test picture goes out, 160x120 at 25 a second.
#pragma once

#include <functional>

#include "harness.h"

namespace element_test {

/// Caps and frames of what the decoders give out.
struct DecoderOutput {
  std::function<Caps()> caps;
  std::function<Buffer(const GstVideoInfo&, int number)> frame;
};

/// Registers both elements. Call it again for other output of `testhwdecoder`.
void register_decoders(const DecoderOutput& hardware);

/// Runs a pipeline of which the element is named `m`.
struct DecodedRun {
  std::string error;  ///< empty: it ended well
  GQuark domain = 0;
  int code = 0;
  guint64 frames = 0;              ///< that came out of the element
  std::string codec, stats_codec;  ///< active-codec; "(null)" for NULL
};
DecodedRun run_decoded(const std::string& description);

}  // namespace element_test
