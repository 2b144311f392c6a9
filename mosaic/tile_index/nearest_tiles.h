// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "executor/tile_search.h"
#include "executor/worker_pool.h"
#include "kernels/features/cell_stats.h"
#include "mosaic/tile_index/tile_index.h"

namespace mosaic {

/// The nearest tiles of each cell of one stream of frames, found by an index. How far the tiles of
/// the last frame are now says how far has to be looked: a cell that has moved little finds its
/// list with few comparisons. All results are those of comparing each cell with all tiles.
class NearestTiles {
 public:
  /// @param wanted tiles to find for each cell, 1..index.tiles()
  /// @param tiles  [index.tiles()], in memory of the host, as long as this object
  NearestTiles(int cells, int wanted, std::shared_ptr<const TileIndex> index,
               const mt::FineFeatures& tiles);

  /// Finds the tiles of the cells that changed, and of those that have none yet. Throws
  /// mt::Cancelled; then the next call has to say that all cells changed.
  /// @param cells   [cells]
  /// @param changed [cells]
  void update(const mt::FineFeatures& cells, const uint8_t* changed, mt::WorkerPool& workers);

  // After update(), with the same cells.

  /// [cells][wanted]: for each cell the nearest tiles, of equally near ones those of lower index;
  /// in ascending order of their index.
  const int32_t* tiles() const { return near_.data(); }

  /// The largest distance of any cell and any tile of the index.
  int32_t farthest(const mt::FineFeatures& cells, mt::WorkerPool& workers);

  /// The nearest tiles of a cell and their distances: at least `wanted`, and none is left out that
  /// is as near as the last of them. May be called by several threads at once.
  /// @param tile, distance [index.tiles()], written: in ascending order of the tiles' index
  /// @return their number
  int read(const mt::FineFeatures& cells, int cell, int wanted, int32_t* tile,
           uint32_t* distance) const;

 private:
  struct Near {
    int32_t distance, tile;
    auto operator<=>(const Near&) const = default;
  };
  struct Bound {
    int32_t bound, tile;
    auto operator<=>(const Bound&) const = default;
  };
  /// A worker's memory, kept from one frame to the next.
  struct Scratch {
    std::vector<int32_t> chosen, leaves;
    std::vector<mt::FoundTile> found;
    size_t used = 0;  ///< of `found`
    std::vector<Near> near;
    std::vector<Bound> bounds;
    std::vector<std::pair<int32_t, int32_t>> blocks;
  };
  struct FarthestPair {
    int32_t distance = 0, cell = -1, tile = -1;
  };

  std::span<int32_t> of(std::vector<int32_t>& all, int cell) const;
  int32_t exact(const mt::FineFeatures& cells, int cell, int32_t tile) const;
  int32_t known(const mt::FineFeatures& cells, int cell, int32_t tile) const;
  template <class Visit>
  void for_each_block(const mt::TileQuery& query, const Visit& visit) const;
  void look_into(int block, const mt::TileQuery& query, int32_t limit, Scratch& scratch) const;
  void measure_last_tiles(const mt::FineFeatures& cells, int cell);
  int32_t limit_by_a_look(const mt::FineFeatures& cells, int cell, Scratch& scratch) const;
  void find_limit(const mt::FineFeatures& cells, int cell, Scratch& scratch);
  void find_blocks(mt::WorkerPool& workers);
  void search(mt::WorkerPool& workers);
  void search_block(int block, Scratch& scratch) const;
  void gather();
  void choose(const mt::FineFeatures& cells, int cell, std::span<Bound> bounds,
              std::vector<Near>& near);
  void find(const mt::TileQuery& query, int32_t limit, Scratch& scratch) const;
  void look_far(const mt::FineFeatures& cells, int cell, FarthestPair& best) const;

  std::shared_ptr<const TileIndex> index_;
  mt::TileIndexView view_;
  mt::FineFeatures tiles_;
  int cells_, wanted_;
  std::vector<int32_t> near_, distance_;  ///< [cells][wanted]: see tiles(); their distances
  std::vector<uint8_t> has_;              ///< [cells]: whether a cell has tiles
  std::vector<mt::TileQuery> queries_;    ///< [cells]
  std::vector<int32_t> limits_;           ///< [cells]: how far the last search went
  std::vector<int32_t> searched_;         ///< the cells of this update
  std::vector<uint8_t> looks_;            ///< [searched][blocks]: whether a cell looks into a block
  std::vector<size_t> begin_;             ///< [cells + 1]: where the bounds of a cell begin
  std::vector<Bound> bounds_;
  std::vector<Scratch> scratch_;
  FarthestPair far_;  ///< the farthest pair of the last frame
};

}  // namespace mosaic
