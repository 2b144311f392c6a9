// SPDX-License-Identifier: LGPL-2.1-or-later
// A clip, frame by frame, as the placement gets it.
#pragma once

#include <istream>
#include <memory>
#include <vector>

#include "mosaic/analysis.h"
#include "mosaic/candidate_lists.h"
#include "mosaic/detail.h"
#include "mosaic/motion.h"
#include "mosaic/picture.h"
#include "mosaic/placement.h"
#include "mosaic/saliency.h"
#include "mosaic/scene.h"

namespace bench {

class Source {
 public:
  /// @param photos a folder
  /// @param clip   frames of R, G and B, rows filled up to multiples of four bytes
  Source(const char* photos, std::istream& clip, int width, int height, int side);

  void skip(int frames);
  /// Goes on to the next frame. Returns false after the last.
  bool next();

  const mosaic::Grid& grid() const { return grid_; }
  mt::Executor& executor() { return *executor_; }
  const mosaic::FrameAnalysis& analysis() const { return analysis_; }
  const mosaic::CandidateLists& candidates() const { return candidates_; }
  const mosaic::Saliency& saliency() const { return saliency_; }
  const mosaic::Motion& motion() const { return motion_; }
  int tiles() const { return pool_->host().tiles(); }
  bool cut() const { return scene_.cut(); }

  /// A placement with one use of each tile.
  mosaic::Placement placement() const { return {grid_, pool_, 1, executor_}; }
  /// What a tile costs a cell.
  int32_t cost(int cell, int tile) const {
    return weighted(cell, candidates_.cost(analysis_, cell, tile));
  }
  /// What all do. @param costs [tiles()]
  void costs(int cell, int32_t* costs) const;

 private:
  int32_t weighted(int cell, int32_t cost) const;

  std::shared_ptr<mt::Executor> executor_;
  mosaic::Grid grid_;
  std::shared_ptr<const mosaic::PoolOnDevice> pool_;
  std::istream& clip_;
  std::vector<uint8_t> frame_;
  mosaic::Picture picture_;
  mt::DeviceBuffer<uint8_t> gray_;
  mosaic::SceneDetector scene_;
  mosaic::Motion motion_;
  mosaic::FrameAnalysis analysis_;
  mosaic::Detail detail_;
  mosaic::CandidateLists candidates_;
  mosaic::Saliency saliency_;
  bool remembers_ = false;
};

}  // namespace bench
