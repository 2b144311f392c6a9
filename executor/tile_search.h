// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The inner loops of mosaic::TileIndex, with the best instructions that this processor has. For
/// the host, as host_distances.h.
///
/// Tiles and cells are points with whole coordinates, whose distances are lower bounds of those of
/// the features. A leaf has kLeafTiles tiles, a block kFan leaves, a group kFan blocks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mt {

inline constexpr int kLeafTiles = 64;
inline constexpr int kFan = 16;
inline constexpr int kBlockTiles = kLeafTiles * kFan;

/// Coordinates of a point, in three sets, each of components and, last, the length of what they
/// leave out: 9 and a length, of which boxes are made; 15 and a length, which are compared first;
/// and 31 more and a length, which then take the place of the length before.
inline constexpr int kBoxCoordinates = 10, kFirstCoordinates = 16, kRestCoordinates = 32;
/// Numbers of kFan boxes: [kBoxCoordinates / 2][2: lower, upper ends][kFan][2].
inline constexpr int kBoxNumbers = 2 * kBoxCoordinates * kFan;

/// Limits of squared distances are at most this, and no tile is farther from a cell.
inline constexpr int32_t kFarthestLimit = 240000000;

/// The tiles. Leaves and boxes that are not filled up are so far away that they are never found.
struct TileIndexView {
  int blocks, groups;
  const int16_t* block_boxes;  ///< [groups][kBoxNumbers]
  const int16_t* leaf_boxes;   ///< [blocks][kBoxNumbers]
  const int16_t* first;        ///< [leaves][kFirstCoordinates / 2][kLeafTiles][2]
  const int32_t* norm;         ///< [leaves][kLeafTiles]: squared, of `first`
  const int16_t* rest;         ///< [leaves][kLeafTiles][kRestCoordinates]
  const int32_t* tile;         ///< [leaves][kLeafTiles]
};

/// A cell.
struct TileQuery {
  alignas(64) int16_t box[16];       ///< kBoxCoordinates of them are used
  int16_t first[kFirstCoordinates];  ///< times -2
  int16_t rest[kRestCoordinates];
  int32_t norm;       ///< squared length of the first coordinates
  int32_t remainder;  ///< the last of these, not doubled
};

struct FoundTile {
  int32_t query;  ///< its number
  int32_t tile;
  int32_t bound;  ///< of the squared distance
};

/// The squared distances of a query to kFan boxes.
void distances_to_boxes(const int16_t* boxes, const TileQuery& query, int32_t* out);
/// The squared distances of a query to the farthest points of kFan boxes; where that is more than
/// kFarthestLimit, another number above it. The caller has to negate the last coordinate of
/// query.box, the length, so that lengths are added: an upper bound of the distances of tiles.
void distances_across_boxes(const int16_t* boxes, const TileQuery& query, uint32_t* out);

/// The tiles of a block that are no farther than a limit.
/// @param chosen  [count]: queries that look into this block
/// @param limits  [queries]: squared distances
/// @param scratch [kFan][count]
/// @param out     [count * kBlockTiles], written
/// @return their number
size_t search_block(const TileIndexView& index, int block, const TileQuery* queries,
                    const int32_t* limits, const int32_t* chosen, int count, int32_t* scratch,
                    FoundTile* out);

}  // namespace mt
