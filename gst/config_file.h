// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>

#include "gst/properties.h"

namespace mosaic_gst {

/// Writes what a D1Config file says: the properties of its fields' names, `ema-alpha` for
/// ema_alpha. Throws mosaic::Error, naming file, line and what is allowed, when there is no such
/// file, it is no TOML or YAML, a key is no field of D1Config, or a value is nothing for its
/// property; then nothing is written.
void apply_config_file(Settings& settings, const std::string& path, GObjectClass* object_class);

}  // namespace mosaic_gst
