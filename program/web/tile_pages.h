// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mosaic/pack/pack_photos.h"

namespace mosaic_program {

/// A size at which the page fetches photos.
struct PageLevel {
  int side;     ///< of a photo, pixels
  int columns;  ///< of photos in a page, and rows
  int photos() const { return columns * columns; }
};

/// In photos.js, too.
inline constexpr std::array<PageLevel, 4> kPageLevels = {{{32, 32}, {128, 8}, {512, 1}, {1024, 1}}};

/// The photos of a pack, as a film shows them, as JPEG files: many small ones side by side, row by
/// row in the order of the pack, or one large one. May be used from several threads at once.
class TilePages {
 public:
  /// @param shape to which the film's cells cut photos; nevertheless they are squares here
  TilePages(const mosaic::pack::PackPhotos& photos, mosaic::Shape shape)
      : photos_(photos), shape_(shape) {}

  /// Number of pages of a level.
  int count(const PageLevel& level) const;
  /// Whether a page shows more than those of smaller levels. Pages of one photo may not.
  bool shows_more(const PageLevel& level, int number) const;

  /// A page, as a JPEG file. Where it holds one photo, and the photo is no larger in the pack, the
  /// file is smaller than the level's side.
  /// @param number below count()
  /// Among others, a photo that is damaged in the pack is black.
  /// Throws Error: kRead where the photo of a page of one is damaged; kCancelled.
  std::vector<uint8_t> page(const PageLevel& level, int number) const;

 private:
  const mosaic::pack::PackPhotos& photos_;
  mosaic::Shape shape_;
};

}  // namespace mosaic_program
