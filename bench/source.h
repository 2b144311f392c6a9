// SPDX-License-Identifier: LGPL-2.1-or-later
// A clip, frame by frame, as the placement gets it.
#pragma once

#include <deque>
#include <istream>
#include <memory>
#include <vector>

#include "mosaic/candidate_lists.h"
#include "mosaic/examination.h"
#include "mosaic/motion.h"
#include "mosaic/outlook.h"
#include "mosaic/placement.h"

namespace bench {

/// Frames of R, G and B, rows filled up to multiples of four bytes, as many readers want them.
class Clip {
 public:
  Clip(std::istream& in, int width, int height);
  void skip(int frames);
  /// Frame `number` of those after skip(); null after the last. Valid until drop().
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

/// What all readers share.
struct Setting {
  Setting(const char* photos, int width, int height, int side);
  std::shared_ptr<mt::Executor> executor;
  mosaic::Grid grid;
  std::shared_ptr<const mosaic::PoolOnDevice> pool;
};

class Source {
 public:
  Source(const Setting& setting, Clip& clip);

  /// Goes on to the next frame. Returns false after the last.
  bool next();
  /// Its two halves: what is asked of a frame before its candidates are chosen, and these.
  bool examine();
  void choose(const mosaic::Haste* haste = nullptr);

  const mosaic::Grid& grid() const { return grid_; }
  mt::Executor& executor() { return *executor_; }
  const mosaic::FrameAnalysis& analysis() const { return now_.analysis(); }
  const mosaic::CandidateLists& candidates() const { return now_.candidates(); }
  const mosaic::Saliency& saliency() const { return now_.saliency(); }
  const mosaic::Motion& motion() const { return motion_; }
  int tiles() const { return pool_->host().tiles(); }
  bool cut() const { return now_.scene().cut(); }
  bool begins() const { return now_.begins(); }

  /// A placement with one use of each tile.
  mosaic::Placement placement() const { return {grid_, pool_, 1, executor_}; }
  mosaic::Outlook outlook(int frames) const { return {grid_.cells(), pool_, 1, frames}; }
  /// What a tile costs a cell.
  int32_t cost(int cell, int tile) const {
    return weighted(cell, candidates().cost(analysis(), cell, tile));
  }
  /// What all do. @param costs [tiles()]
  void costs(int cell, int32_t* costs) const;

 private:
  int32_t weighted(int cell, int32_t cost) const;

  std::shared_ptr<mt::Executor> executor_;
  mosaic::Grid grid_;
  std::shared_ptr<const mosaic::PoolOnDevice> pool_;
  Clip& clip_;
  int number_ = 0;  ///< of the next frame
  mosaic::Examination now_;
  mosaic::Motion motion_;
  bool remembers_ = false;
};

}  // namespace bench
