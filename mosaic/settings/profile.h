// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "mosaic/settings/look.h"

namespace mosaic {

/// The names of the built-in profiles (presets/*.toml), sorted.
std::vector<std::string> profile_names();

/// The built-in profile of that name, or else the one in the file of that path: a TOML table of
/// Look's fields and an optional `description`. Fields that it omits are those of `missing`, by
/// default those of `plain`.
/// Throws Error: kNotFound when there is neither; kSettings, naming the file, the line and what is
/// allowed, for an unknown key, a value of another type or out of range, and text that is not TOML;
/// kRead when the file cannot be read or is larger than 64 KiB.
Look load_profile(const std::string& name_or_path, const Look& missing = {});

}  // namespace mosaic
