// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "executor/executor.h"
#include "kernels/drawing/hue.h"
#include "kernels/views.h"
#include "mosaic/drawing/tiles_to_draw.h"
#include "mosaic/pack/pack_photos.h"

namespace mosaic {

/// The photos that a picture shows, prepared for drawing when they are first needed. What is not
/// needed any more makes room for others, so that memory is bounded by what is visible, not by the
/// number of photos. Used by one thread at a time.
class TileCache {
 public:
  /// @param side that statistics of tiles are computed at, 8..256 pixels
  /// @param shape of the cells on the display, to which photos are cut
  /// @param executor that draws; @param host  that prepares photos, see Executor::unified()
  TileCache(std::shared_ptr<const pack::PackPhotos> photos, int side, Shape shape,
            const mt::TileVariants& variants, std::shared_ptr<mt::Executor> executor,
            std::shared_ptr<mt::Executor> host);

  /// Prepares photos; the others stay while there is room for them. After a change of the size all
  /// are prepared anew.
  /// @param wanted each once
  /// @param size   of the photos, 1..16384 each
  /// @param most   how many photos a picture needs at once at this size, at least those wanted
  /// @param stats  whether the statistics of the tiles are needed, too
  /// Throws Error: kRead if a photo is damaged; kSettings if memory_limit() does not suffice.
  void prepare(std::span<const int32_t> wanted, mt::PixelSize size, int most, bool stats);

  /// The photos that were prepared.
  TilesToDraw tiles() const;

 private:
  /// A photo to be put into a place.
  struct Entry {
    int32_t photo, place;
  };
  void resize(mt::PixelSize size, int most, bool stats);
  int32_t take_place(int& from);
  void fill(std::span<const Entry> entries);
  void describe(std::span<const Entry> entries);

  std::shared_ptr<const pack::PackPhotos> photos_;
  int side_;
  Shape shape_;
  mt::TileVariants variants_;
  std::shared_ptr<mt::Executor> executor_, host_;
  mt::PixelSize size_{0, 0};
  bool has_stats_ = false;
  mt::DeviceBuffer<uint8_t> pixels_;  ///< [places][3][height][width]
  mt::Buffer<mt::CellStats> stats_;   ///< [variants][places]
  std::vector<int32_t> place_of_;     ///< [photos]; -1: not here
  std::vector<int32_t> photo_at_;     ///< [places]; -1: free
  std::vector<uint64_t> used_;        ///< [places]: the last call of prepare() that wanted it
  uint64_t call_ = 0;
  std::vector<uint8_t> staging_;                ///< [entries][3][height][width]
  std::vector<uint8_t> side_pixels_, variant_;  ///< [entries][3][side][side]

  std::vector<Entry> missing_;
};

}  // namespace mosaic
