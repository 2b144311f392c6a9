// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <span>
#include <string_view>

namespace mosaic {

/// A file of presets/, as it was when the program was built.
struct BuiltInProfile {
  std::string_view name;  ///< of the file, without .toml
  std::string_view text;
};
std::span<const BuiltInProfile> built_in_profiles();

}  // namespace mosaic
