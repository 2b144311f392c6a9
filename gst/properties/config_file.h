// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <span>
#include <string>

#include "gst/properties/property.h"

namespace mosaic_gst {

/// Reads a file with a D1Config, the settings of mosaic-temporal-gpu. Each field sets the property
/// of the same name, with - for _, among those with Property::in_config. Throws mosaic::Error, with
/// file, line and what is allowed, if the file does not exist or is not TOML or YAML, a key is not
/// a field of D1Config, or a value is not valid; then no setting is changed.
void apply_config_file(Settings& settings, const std::string& path,
                       std::span<const Property> properties);

}  // namespace mosaic_gst
