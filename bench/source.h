// SPDX-License-Identifier: LGPL-2.1-or-later
// A clip, frame by frame, as the placement gets it.
#pragma once

#include <deque>
#include <istream>
#include <memory>
#include <vector>

#include "mosaic/candidates/candidate_lists.h"
#include "mosaic/engine/analysis_stages.h"
#include "mosaic/placement/lookahead_costs.h"
#include "mosaic/placement/placement.h"

namespace bench {

/// RGB frames whose rows are padded to multiples of four bytes, kept until all readers have had
/// them.
class Clip {
 public:
  Clip(std::istream& in, int width, int height);
  void skip(int frames);
  /// The frame of this number, counted from 0 after skip(); null after the last. Valid until
  /// drop().
  uint8_t* frame(int number);
  /// Frames below `number` are not asked for again.
  void drop(int number);
  mt::FrameView view(uint8_t* frame) const;

 private:
  std::istream& in_;
  int width_, height_;
  int first_ = 0;
  std::deque<std::vector<uint8_t>> frames_;  ///< from first_ on
};

/// What all sources share.
struct Setup {
  Setup(const char* photos, int width, int height, int side);
  std::shared_ptr<mt::Executor> executor;
  mosaic::Grid grid;
  std::shared_ptr<const mosaic::PoolOnDevice> pool;
};

class Source {
 public:
  /// @param tolerant leave out cells whose pixels moved by less than kAnalysisTolerance
  Source(const Setup& setup, Clip& clip, bool tolerant);

  /// Goes on to the next frame. Returns false after the last.
  bool next();
  /// The two halves of next(): the analysis of a frame, and its candidate lists.
  bool analyse();
  void list_candidates();

  const mosaic::Grid& grid() const { return grid_; }
  mt::Executor& executor() { return *executor_; }
  const mosaic::AnalysedCells& analysis() const { return *stages_.frame().cells; }
  const mosaic::CandidateLists& candidates() const { return *stages_.frame().candidates; }
  const mosaic::Saliency& saliency() const { return *stages_.frame().saliency; }
  const mosaic::FrameMotion& motion() const { return *stages_.frame().motion; }
  int tiles() const { return pool_->host().tiles(); }
  bool keyframe() const { return scene().keyframe(); }
  const mosaic::SceneUpdate& scene() const { return stages_.frame().scene; }

  /// A placement that uses each tile at most once.
  mosaic::Placement placement() const { return {grid_, pool_, once(), executor_}; }
  mosaic::LookaheadCosts lookahead(int frames) const {
    return {grid_.cells(), pool_, once(), frames};
  }
  mosaic::UseLimit once() const { return {.units = tiles(), .most = 1}; }
  /// What a tile costs a cell.
  int32_t cost(int cell, int tile) const {
    return weighted(cell, candidates().cost(analysis(), cell, tile));
  }
  /// What every tile costs a cell. @param costs [tiles()]
  void costs(int cell, int32_t* costs) const;

 private:
  int32_t weighted(int cell, int32_t cost) const;

  std::shared_ptr<mt::Executor> executor_;
  mosaic::Grid grid_;
  std::shared_ptr<const mosaic::PoolOnDevice> pool_;
  Clip& clip_;
  int number_ = 0;  ///< of the next frame
  mosaic::FrameSettings settings_;
  mosaic::AnalysisStages stages_;
};

}  // namespace bench
