// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// mosaicraft's two-stage rerank: after the assignment a cell may take a free tile, of those
/// nearest to it, whose picture is more similar. Its assigned tile and the free ones are ranked by
/// correlation; of the best five, the one with the highest structural similarity is chosen, if that
/// exceeds the assigned tile's.
///
/// Where photos are counted, few of the nearest tiles would be free. Instead the cell considers the
/// other variants of its photo, and the nearest photos that are free.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "executor/executor.h"
#include "kernels/matching/tile_similarity.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/analysis/continuation.h"
#include "mosaic/base/grid.h"
#include "mosaic/candidates/candidate_lists.h"
#include "mosaic/photo_uses/photo_assignment.h"
#include "mosaic/placement/occupancy.h"
#include "mosaic/pool/pool_on_device.h"

namespace mosaic {

/// The correlation of a tile with a cell, except for a factor that is the same for all tiles.
/// @param pixels of a cell
double correlation(const mt::RerankScore& score, int pixels);

/// Numbers of a cell's scores, the best correlated tile first.
using RankedScores = std::array<uint8_t, 1 + mt::kRerankNearest>;
/// @param scores of the cell's assigned tile, then of others by distance
/// @param pixels of a cell
RankedScores rank(std::span<const mt::RerankScore> scores, int pixels);

/// Whether a cell may take a tile that is not its assigned one.
using Fits = std::function<bool(int32_t tile)>;

/// The scores whose SSIM most_similar_tile() compares, as bits: bit 0 is that of the assigned tile.
uint32_t compared(std::span<const mt::RerankScore> scores, const RankedScores& ranks,
                  const Fits& fits);

/// Chooses the tile that a cell is to show: its assigned tile or one that replaces it.
int32_t most_similar_tile(std::span<const mt::RerankScore> scores, const RankedScores& ranks,
                          const Fits& fits);

/// The tiles that cells show. The assignment continues from frame to frame as if there were no
/// rerank, so that neither undoes the choices of the other. A cell is reranked when its assigned
/// tile changes, when the tile that it shows is assigned to another cell, or when that tile has
/// become too costly. Otherwise it keeps its tile.
class Reranking {
 public:
  struct Settings {
    int nearest = mt::kRerankNearest;  ///< tiles considered, 0 (off) .. mt::kRerankNearest
    /// [cells]: by how much a tile chosen by the rerank may become costlier before it is given up
    std::span<const int32_t> price;
    Occupancy::Rules rules;
    /// Of the frame's assignment, where photos are counted; else null.
    const PhotoAssignment* photos = nullptr;
  };
  using Cost = std::function<int64_t(int cell, int tile)>;

  Reranking(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
            const std::shared_ptr<mt::Executor>& executor);

  /// Chooses the tiles of the next frame. Waits for the executor only if cells are reranked.
  /// @param assigned [cells] the tiles of the assignment
  /// @param cost     what a tile costs a cell in this frame
  void update(const AnalysedCells& analysis, const CandidateLists& candidates,
              const std::vector<int32_t>& assigned, const Cost& cost, const Settings& settings);

  /// Moves tiles to other cells, before the next update(). @param from see find_tile_origins()
  void move_tiles(std::span<const int32_t> from);

  /// Shows tiles that were not chosen here. @param tiles [cells]
  void set_tiles(std::span<const int32_t> tiles);

  /// Begins a frame; update() or set_tiles() comes next. At a keyframe every cell is reranked.
  void begin_frame(const SceneUpdate& scene) {
    keyframe_ = scene.keyframe();
    kept_.update(scene, state_);
  }

  const std::vector<int32_t>& tiles() const { return state_.tile; }  ///< [cells]: what they show
  int reranked() const { return count_; }  ///< cells that the last update() reranked

 private:
  /// What lasts from frame to frame.
  struct State {
    int nearest = 0;  ///< of the last frame
    std::vector<int32_t> tile, assigned;
    std::vector<int64_t> extra_cost;  ///< [cells]: over the assigned tile's, when chosen
  };

  void return_to_assignment(const std::vector<int32_t>& assigned, const Cost& cost,
                            const Settings& settings, const mt::Cancellation& cancellation);
  void resolve_conflicts(const std::vector<int32_t>& assigned, const Cost& cost,
                         const Settings& settings, const mt::Cancellation& cancellation);
  void list_owners(const std::vector<int32_t>& assigned, const UseLimit& uses);
  bool exchange(int cell, int32_t own, const Cost& cost, const Settings& settings);
  bool give_way(int cell, const Cost& cost, const PhotoAssignment& photos, int32_t most);
  bool make_room(int cell, const Cost& cost, const Settings& settings);
  void list_free_photos(const PhotoAssignment& photos);
  void list_free_photos(const PhotoAssignment& photos, int cell, std::span<int32_t> to) const;
  void score(const AnalysedCells& analysis, const CandidateLists& candidates);
  int32_t choose(const AnalysedCells& analysis, const CandidateLists& candidates, int entry);
  mt::Rerank kernel(const AnalysedCells& analysis, const CandidateLists& candidates, int first);
  std::span<const mt::RerankScore> scores_of(int entry) const {
    const size_t each = 1 + state_.nearest;
    return {score_.data() + entry * each, each};
  }
  Fits fits(int entry) const {
    return [this, cell = entry_[entry].cell](int32_t tile) { return occupancy_.fits(cell, tile); };
  }

  Grid grid_;
  std::shared_ptr<const PoolOnDevice> pool_;
  std::shared_ptr<mt::Executor> executor_;
  int count_ = 0;        ///< entries
  Occupancy occupancy_;  ///< of state_.tile
  State state_, moved_;
  KeptScenes<State> kept_;
  bool keyframe_ = true;  ///< whether the frame is one
  /// Whether a cell is to be reranked, and whether it has given up its assigned tile before that.
  enum : uint8_t { kKeeps, kReranks, kGaveWay };
  std::vector<uint8_t> to_rerank_;  ///< [cells]
  std::vector<int32_t> owner_;      ///< [units]: a cell that one of its tiles is assigned to, or -1
  std::vector<int32_t> next_owner_;  ///< [cells]: another such cell of the same unit, or -1
  /// [cells][mt::kRerankNearest]: in place of the lists' nearest tiles, where photos are counted.
  std::optional<mt::Buffer<int32_t>> nearest_;
  bool lists_photos_ = false;  ///< whether that is so in this frame
  mt::DeviceBuffer<uint8_t> gray_;
  mt::Buffer<mt::RerankEntry> entry_;
  mt::Buffer<mt::RerankScore> score_;
  mt::Buffer<uint32_t> similar_;     ///< [entries]: scores with SSIM, see mt::Rerank::similar
  std::vector<RankedScores> ranks_;  ///< [entries]
};

}  // namespace mosaic
