// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photo_uses/uses.h"

#include <algorithm>
#include <string>
#include <utility>

#include "mosaic/base/error.h"
#include "mosaic/photo_uses/near_duplicates.h"
#include "mosaic/settings/look.h"

namespace mosaic {

UseLimit use_limit(int cells, const Pool& pool, const UseSettings& settings,
                   mt::WorkerPool& workers) {
  const bool counts_photos = settings.unit == Unit::kPhoto;
  std::shared_ptr<const PhotoGroups> groups;
  if (counts_photos && settings.similarity > 0)
    groups =
        std::make_shared<PhotoGroups>(find_near_duplicates(pool, settings.similarity, workers));
  const int64_t units = groups ? groups->count() : counts_photos ? pool.photos() : pool.tiles();
  int64_t most = (cells + units - 1) / units;
  if (counts_photos)
    while (4 * most * most * units < int64_t{cells} * (4 * most + 1)) ++most;
  if (settings.most != 0) {
    most = std::min<int64_t>(settings.most, cells);
    if (units * most < cells) {
      const std::string one = counts_photos ? "photo" : "tile";
      throw Error(Error::Kind::kSettings,
                  "the pool has " + std::to_string(units) + (groups ? " different " : " ") + one +
                      "s, used at most " + std::to_string(settings.most) +
                      " times each, but the grid has " + std::to_string(cells) + " cells",
                  "add photos, make the cells larger (tile-size, size), or allow more uses of a " +
                      one + " (max-" + one + "-uses)" +
                      (groups ? ", or raise dedup-similarity, or set it to 0 (off)" : ""));
    }
  }
  const unsigned wanted = counts_photos ? settings.least : 0;
  if (settings.most != 0 && wanted > settings.most)
    throw Error(Error::Kind::kSettings,
                "each photo is to be used at least " + std::to_string(wanted) +
                    " times, but at most " + std::to_string(settings.most) + " times",
                "raise max-photo-uses, or set it to 0 (automatic), or lower min-photo-uses");
  const int64_t least = std::min<int64_t>(wanted, cells / units);
  return {.units = static_cast<int>(units),
          .most = static_cast<int>(std::max(most, least)),
          .counted = settings.unit,
          .least = static_cast<int>(least),
          .groups = std::move(groups)};
}

double fidelity_for(double fidelity, const UseLimit& uses) {
  const bool once = uses.counted == Unit::kPhoto && uses.most == 1;
  return once ? fidelity * (47 - 22 * fidelity) / 25 : fidelity;
}

double sharpness_for(double sharpness, double fidelity, const UseLimit& uses) {
  const double sharper = sharpness * (1 + 6 * (fidelity_for(fidelity, uses) - fidelity));
  return std::min(sharper, kMostSharpness);
}

}  // namespace mosaic
