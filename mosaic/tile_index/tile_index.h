// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "executor/tile_search.h"
#include "executor/worker_pool.h"
#include "kernels/features/cell_stats.h"

namespace mosaic {

/// A tree of tiles, in which those that may be near a cell are found without comparing it with all.
/// It gives bounds of distances; who needs exact ones computes them for what it finds.
///
/// Of a tile it keeps 46 principal components, and three lengths: of what is left of the features
/// without the first 9, the first 15 and all of them. For a projection P of a and b to components,
/// |a - b|^2 >= |Pa - Pb|^2 + (|a - Pa| - |b - Pb|)^2; so a distance in the first components and
/// the length that belongs to them is no larger than that of the features, but for rounding, which
/// the limits below allow for. The tree is a balanced k-d tree (Bentley 1975) over the components.
/// Immutable.
class TileIndex {
 public:
  /// @param tiles [count], in memory of the host; not needed later
  TileIndex(const mt::FineFeatures& tiles, int count, mt::WorkerPool& workers);

  mt::TileIndexView view() const;
  int tiles() const { return tiles_; }

  /// The point of a cell.
  mt::TileQuery query(const mt::FineFeatures& cell) const;

  /// The squared distance of points that a tile within a distance may have at most; and, across a
  /// box, that one beyond the distance has at least. @param distance see mt::feature_distance()
  static int32_t limit_within(int32_t distance);
  static uint32_t limit_beyond(int32_t distance);

 private:
  static constexpr int kBoxComponents = mt::kBoxCoordinates - 1;
  static constexpr int kFirstComponents = mt::kFirstCoordinates - 1;
  static constexpr int kComponents = kFirstComponents + mt::kRestCoordinates - 1;
  /// Components, and what is left after kBoxComponents, kFirstComponents and all of them; all times
  /// kUnit.
  using Point = std::array<int16_t, kComponents + 3>;
  // The three sets of coordinates, see tile_search.h.
  static int16_t box_coordinate(const Point& point, int i);
  static int16_t first_coordinate(const Point& point, int i);
  static int16_t rest_coordinate(const Point& point, int i);

  void find_components(const mt::FineFeatures& tiles);
  Point point(const mt::FineFeatures& features) const;
  std::vector<int32_t> tree_order(const std::vector<Point>& points, mt::WorkerPool& workers) const;
  void store(const std::vector<Point>& points, const std::vector<int32_t>& order,
             mt::WorkerPool& workers);
  void store_leaf(const std::vector<Point>& points, const std::vector<int32_t>& order, int leaf);
  void store_boxes(const std::vector<Point>& points, const std::vector<int32_t>& order);

  int tiles_;
  std::array<double, mt::kFeatureStride> mean_{};
  std::vector<double> components_;  ///< [mt::kFeatureStride][kComponents]
  std::vector<int32_t> tile_, norm_;
  std::vector<int16_t> block_boxes_, leaf_boxes_, first_, rest_;
};

}  // namespace mosaic
