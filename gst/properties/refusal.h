// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>
#include <string>
#include <variant>

namespace mosaic_gst {

struct Settings;

/// Settings that contradict each other, or could not be set: what Settings::problems() names.
struct RefusedProblems {
  std::shared_ptr<const Settings> of;  ///< whose problems these are
};

/// tile-size and size, for which there is no grid.
struct RefusedGrid {
  unsigned tile_size;
  std::string size;
  unsigned tile_size_instead;  ///< what is used
  std::string size_instead;
};

/// tile-location, from which no photos could be loaded.
struct RefusedPhotos {
  std::string location;
  std::string instead;  ///< from where photos are used
};

/// The part of the settings that could not be used while frames are shown; frames are then drawn as
/// before. The painter reports it to the element, which owns the settings and corrects them with
/// Settings::take_back().
using Refusal = std::variant<RefusedProblems, RefusedGrid, RefusedPhotos>;

}  // namespace mosaic_gst
