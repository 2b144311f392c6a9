// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <span>
#include <string>

#include "gst/properties/property.h"

namespace mosaic_gst {

/// Reads a file with settings; one with a D1Config, the settings of mosaic-temporal-gpu, is such a
/// file. Each field sets the property of the same name, with - for _, among those with
/// Property::read. Throws mosaic::Error, with file, line and what is allowed, if the file does not
/// exist or is not TOML or YAML, there is no property of that name, or a value is not valid; then
/// no setting is changed.
void apply_config_file(Settings& settings, const std::string& path,
                       std::span<const Property> properties);

}  // namespace mosaic_gst
