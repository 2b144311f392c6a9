// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <optional>
#include <string>

namespace mosaic_gst {

struct Decoder {
  std::string name;  ///< of its factory ("nvh264dec"); of the element where it has none
  bool hardware;     ///< whether it says that it decodes in hardware
};

/// The nearest element upstream of a sink pad that says it is a decoder, whatever stands between:
/// parsers, queues, converters, tees, bins.
std::optional<Decoder> find_decoder(GstPad* sink);

/// Why `decoder` is none that hands out frames in CUDA memory; empty where it is one.
/// @param on_gpu whether frames arrive in CUDA memory
std::string why_not_hardware(const std::optional<Decoder>& decoder, bool on_gpu);

/// Whether what feeds a sink pad says that it is live.
bool upstream_is_live(GstPad* sink);

}  // namespace mosaic_gst
