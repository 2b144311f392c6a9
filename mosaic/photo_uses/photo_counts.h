// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mosaic {

/// Which photos a frame shows, whatever their variants.
struct PhotoCounts {
  unsigned shown = 0;  ///< different photos
  unsigned most = 0;   ///< uses of the photo that is shown most often
  unsigned least = 0;  ///< uses of the photo that is shown least often
  unsigned never = 0;  ///< photos that neither this nor an earlier frame has shown
  /// The smallest distance between two cells that show the same photo, the greater of the column
  /// and row distance; 0: there are none.
  unsigned nearest = 0;
  unsigned nearby = 0;  ///< cells with another cell within the radius that shows the same photo
};

/// Counts the photos of frames; memory is kept from one to the next.
class PhotoCounter {
 public:
  /// @param tiles   [cells], row by row; tile t shows photo t % photos
  /// @param columns of the grid
  /// @param radius  the greater of the column and row distance
  PhotoCounts count(std::span<const int32_t> tiles, int photos, int columns, unsigned radius);

 private:
  std::vector<int32_t> last_;       ///< [photos]: the last cell that shows the photo, or -1
  std::vector<int32_t> uses_;       ///< [photos]: cells that show it
  std::vector<uint8_t> was_shown_;  ///< [photos]: by any frame until now
  std::vector<uint8_t> is_nearby_;  ///< [cells]
  std::vector<int32_t> previous_;   ///< [cells]: the previous cell with the same photo, or -1
};

}  // namespace mosaic
