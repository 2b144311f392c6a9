// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace mt {

/// What a coarse distance says about the cost of a tile.
struct CoarseCost {
  float scale;  ///< cost of an exact distance of 1
  float most;   ///< the cost of a distance is no higher (an Oklab term may be added)
};

}  // namespace mt
