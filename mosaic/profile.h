// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

#include "mosaic/look.h"

namespace mosaic {

/// The profiles that come with the program (presets/*.toml), by name, sorted.
std::vector<std::string> profile_names();

/// The profile of that name, or else the one in that file: a TOML table of Look's fields, with a
/// `description` if it likes; what it leaves out is that of `plain`.
/// Throws Error: kNotFound when there is neither; kSettings, naming the file, the line and what is
/// allowed, for a key that is none, a value of another type or out of range, and what is no TOML;
/// kRead when the file cannot be read or is larger than a profile ever is (64 KiB).
Look load_profile(const std::string& name_or_path);

}  // namespace mosaic
