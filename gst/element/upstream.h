// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <optional>
#include <string>

namespace mosaic_gst {

struct Decoder {
  std::string name;  ///< of its factory ("nvh264dec"), or of the element if it has none
  bool hardware;     ///< whether its metadata "klass" contains "Hardware"
};

/// The nearest element upstream of a sink pad whose metadata calls it a decoder, through any other
/// elements between them: parsers, queues, converters, tees, bins.
std::optional<Decoder> find_decoder(GstPad* sink);

/// Why frames do not come from a hardware decoder in CUDA memory; empty if they do.
/// @param on_gpu whether frames arrive in CUDA memory
std::string why_not_hardware(const std::optional<Decoder>& decoder, bool on_gpu);

/// Whether upstream of a sink pad is live, according to a latency query.
bool upstream_is_live(GstPad* sink);

}  // namespace mosaic_gst
