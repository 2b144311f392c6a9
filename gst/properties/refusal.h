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

/// The properties that decide on the grid.
struct GridSettings {
  unsigned tile_size = 0;
  std::string size, tile_aspect_ratio;
  bool operator==(const GridSettings&) const = default;
};

/// Settings for which there is no grid.
struct RefusedGrid {
  GridSettings wanted;
  GridSettings instead;  ///< what is used
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
