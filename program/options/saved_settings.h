// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "program/options.h"

namespace mosaic_program {

/// Writes the element's settings to Options::save_config, in TOML or in YAML: the profile, and
/// every property that differs from it and from a new element's. The file gives the same mosaic
/// with
/// --config. Throws Failure if it cannot be written, WrongUsage if its name ends otherwise.
void save_settings(const Options& options);

}  // namespace mosaic_program
