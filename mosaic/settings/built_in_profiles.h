// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <span>
#include <string_view>

namespace mosaic {

/// A profile of presets/, which the build embeds in the program.
struct BuiltInProfile {
  std::string_view name;  ///< the file's, without .toml
  std::string_view text;  ///< TOML
};
std::span<const BuiltInProfile> built_in_profiles();

}  // namespace mosaic
