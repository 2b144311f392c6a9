// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "gst/properties/config_file.h"
#include "gst/properties/property_table.h"
#include "mosaic/base/error.h"

namespace fuzz {

/// Reads a configuration file into the settings of an element, as config-location does.
inline void apply_config(const std::string& path) {
  static const std::vector<mosaic_gst::Property> properties = [] {
    std::vector<mosaic_gst::Property> all = mosaic_gst::element_properties();
    for (mosaic_gst::Property& look : mosaic_gst::look_properties()) all.push_back(look);
    return all;
  }();
  mosaic_gst::Settings settings;
  try {
    mosaic_gst::apply_config_file(settings, path, properties);
  } catch (const mosaic::Error&) {
    return;
  }
  settings.problems();
  settings.frame_settings(0);
}

}  // namespace fuzz
