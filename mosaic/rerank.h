// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// mosaicraft's two-stage rerank: after the assignment a cell takes, of the free tiles among those
/// nearest to it, the one that is most alike to look at. Its own tile and the free ones are ranked
/// by correlation; of the best five the highest structural similarity wins, if it beats that of its
/// own.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cuda/executor.h"
#include "cuda/rerank.h"
#include "cuda/scene.h"
#include "mosaic/analysis.h"
#include "mosaic/candidate_lists.h"
#include "mosaic/grid.h"
#include "mosaic/occupancy.h"
#include "mosaic/pool_on_device.h"

namespace mosaic {

/// What the tiles of one cell are ranked by: their correlation with it, but for a factor that is
/// the cell's. @param pixels of a cell
double correlation(const mt::RerankScore& score, int pixels);

/// The tile that is to replace the first of `scores`, or that one itself.
/// @param scores of the cell's own tile, then of others by distance
/// @param pixels of a cell
/// @param fits   whether another tile may be taken
int32_t choose_alike(std::span<const mt::RerankScore> scores, int pixels,
                     const std::function<bool(int32_t tile)>& fits);

/// What the cells show. The assignment goes on from frame to frame by itself, as if there were no
/// rerank, so that neither undoes the other: a cell is looked at again when its tile of the
/// assignment changes, when another cell needs the tile that it took, or when that has become too
/// dear. A picture in which none of that happens keeps its tiles.
class Rerank {
 public:
  struct Settings {
    int nearest = mt::kRerankNearest;  ///< tiles considered, 0 (off) .. mt::kRerankNearest
    bool keep = false;                 ///< false: every cell is looked at
    /// [cells]: cost by which a tile that was taken may become dearer than it was
    std::span<const int32_t> price;
    Occupancy::Rules rules;
  };
  using Cost = std::function<int64_t(int cell, int tile)>;

  Rerank(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
         const std::shared_ptr<mt::Executor>& executor);

  /// Goes on to the next frame. Waits for the executor where cells are looked at, and only there.
  /// @param assigned [cells] the tiles of the assignment
  /// @param cost     what a tile costs a cell in this frame
  void update(mt::Executor& executor, const FrameAnalysis& analysis,
              const CandidateLists& candidates, const std::vector<int32_t>& assigned,
              const Cost& cost, const Settings& settings);

  /// Tiles move to other cells before the next update(). @param from see carried_from()
  void carry(std::span<const int32_t> from);

  /// Shows the tiles of a frame that somebody else chose. @param tiles [cells]
  void take(std::span<const int32_t> tiles);

  /// Keeps what lasts from frame to frame, and goes on from that. @param scene 1..mt::kKeptScenes
  void keep(int scene) { kept_[scene - 1] = state_; }
  void recall(int scene) { state_ = kept_[scene - 1]; }

  const std::vector<int32_t>& tiles() const { return state_.tile; }  ///< [cells]: what they show
  int looked_at() const { return count_; }  ///< cells, by the last update()

 private:
  /// What lasts from frame to frame.
  struct State {
    int nearest = 0;  ///< of the last frame
    std::vector<int32_t> tile, assigned;
    std::vector<int64_t> surplus;  ///< [cells] what the tile cost more, when it was taken
  };

  void drop(const std::vector<int32_t>& assigned, const Cost& cost, const Settings& settings);
  void settle(const std::vector<int32_t>& assigned, const Cost& cost, const Settings& settings);
  void score(mt::Executor& executor, const FrameAnalysis& analysis,
             const CandidateLists& candidates);

  Grid grid_;
  std::shared_ptr<const PoolOnDevice> pool_;
  int count_ = 0;        ///< entries
  Occupancy occupancy_;  ///< of state_.tile
  State state_, carried_;
  std::array<State, mt::kKeptScenes> kept_;
  std::vector<uint8_t> stale_;  ///< [cells] to be looked at
  std::vector<int32_t> owner_;  ///< [tiles]: a cell that the assignment gives it to, or -1
  mt::DeviceBuffer<uint8_t> gray_;
  mt::Buffer<mt::RerankEntry> entry_;
  mt::Buffer<mt::RerankScore> score_;
};

}  // namespace mosaic
