// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "executor/worker_pool.h"
#include "mosaic/photo_uses/photo_groups.h"
#include "mosaic/pool/pool.h"

namespace mosaic {

/// What is assigned to the cells, and counted.
enum class Unit {
  kPhoto,  ///< a photo, in whichever of its variants suits a cell best
  kTile,   ///< a variant of a photo, as mosaicraft does: the others count as other tiles
};

/// How often a frame may use a photo or a tile, as the user sets it.
struct UseSettings {
  Unit unit = Unit::kTile;
  unsigned most = 0;  ///< 0: automatic, see use_limit()
  /// Every photo is used at least so many times; fewer, cells / photos rounded down, where there
  /// are too few cells. Not for tiles.
  unsigned least = 0;
  /// 0..1: photos that are at least so similar count as one, see find_near_duplicates(); 0: none
  /// do. Not for tiles.
  double similarity = 0;

  bool operator==(const UseSettings&) const = default;
};

/// The same for one grid and pool.
struct UseLimit {
  int units = 1;  ///< photos, or groups of them, or tiles
  int most = 1;   ///< uses of a unit in a frame; units * most is at least the number of cells
  Unit counted = Unit::kTile;
  int least = 0;  ///< the fewest uses of any unit; units * least is at most the number of cells

  std::shared_ptr<const PhotoGroups> groups = nullptr;  ///< null: each photo counts by itself

  /// What a tile counts as: the photo that it shows, the group of that, or itself.
  int unit(int32_t tile) const {
    return groups ? groups->group(tile % groups->photos()) : tile % units;
  }
  /// What a tile shows: its unit where photos are counted, else its photo.
  /// @param photos of the pool
  int shown(int32_t tile, int photos) const {
    return counted == Unit::kPhoto ? unit(tile) : tile % photos;
  }
};

/// Automatic is the least number of uses with which tiles fill the grid. Of the uses of photos
/// cells / (4 * most) must be spare, because a cell without any choice looks worse, and the
/// assignment takes long. Throws Error (kSettings) if `most` is not 0 and too few, or less than
/// `least`, and mt::Cancelled where the workers' cancellation is requested.
UseLimit use_limit(int cells, const Pool& pool, const UseSettings& settings,
                   mt::WorkerPool& workers);

/// The fidelity (0..1) with which a look is drawn. Where each photo is shown at most once, fewer
/// suit their cells, and a fidelity counts for more: 0.5 is drawn as 0.72.
double fidelity_for(double fidelity, const UseLimit& uses);

/// The sharpness with which a look of that fidelity is drawn. What fidelity_for() adds lowers the
/// contrast of the photos; sharpening gives it back in detail too fine to be seen from where the
/// whole picture is looked at. At most kMostSharpness.
double sharpness_for(double sharpness, double fidelity, const UseLimit& uses);

}  // namespace mosaic
