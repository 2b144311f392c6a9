// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What the program knows of the element without loading it. The tables are written while the
/// program is built, by scripts/generate/write_property_table.py.
#pragma once

#include <string>
#include <vector>

namespace mosaic_program {

enum class PropertyGroup { kEveryday, kLook, kMotion, kCompatibility };
enum class PropertyType { kWhole, kNumber, kSwitch, kText, kWord, kWords };

/// A property of the element that can be set.
struct PropertyInfo {
  const char* name;
  PropertyGroup group;
  PropertyType type;
  const char* blurb;
  const char* initial;             ///< its default; empty: nothing
  const char *least, *most;        ///< of numbers
  std::vector<std::string> words;  ///< that are allowed, of kWord and kWords
};

/// All of them, group by group.
const std::vector<PropertyInfo>& property_table();

/// A look that comes with the element.
struct ProfileInfo {
  const char *name, *description;
};
const std::vector<ProfileInfo>& profile_table();

}  // namespace mosaic_program
