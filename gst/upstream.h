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

}  // namespace mosaic_gst
