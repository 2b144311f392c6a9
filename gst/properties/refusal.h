// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>
#include <string>
#include <variant>

namespace mosaic_gst {

struct Settings;

/// Settings that contradict each other, or could not be set: what Settings::problems() names.
struct RefusedProblems {
  std::shared_ptr<const Settings> of;
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

/// What could not be used of settings while frames are shown, so that frames are drawn as before.
/// Whoever draws reports it; the element, whose settings they are, then takes it back with
/// Settings::take_back().
using Refusal = std::variant<RefusedProblems, RefusedGrid, RefusedPhotos>;

}  // namespace mosaic_gst
