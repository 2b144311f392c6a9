// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "executor/executor.h"
#include "kernels/views.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/analysis/continuation.h"
#include "mosaic/analysis/motion.h"
#include "mosaic/analysis/saliency.h"
#include "mosaic/base/grid.h"
#include "mosaic/base/picture.h"
#include "mosaic/candidates/candidate_lists.h"
#include "mosaic/pool/pool_on_device.h"

namespace mosaic {

/// The stages that a frame passes before its tiles are chosen.
enum AnalysisStage { kUnpack, kScene, kAnalysis, kCandidates, kAnalysisStages };

/// What the stages before the assignment found in one frame. Only refers to the results, which
/// belong to AnalysisStages or to a KeptFrame.
struct AnalysedFrame {
  SceneUpdate scene;
  mt::Planes source{};  ///< in_width x in_height
  const AnalysedCells* cells = nullptr;
  /// Up to date unless error diffusion chose the tiles.
  const CandidateLists* candidates = nullptr;
  const Saliency* saliency = nullptr;
  std::span<const int32_t> diffused;        ///< [cells]: tiles that error diffusion chose; or empty
  const FrameMotion* motion = nullptr;      ///< null: tiles do not follow motion
  std::chrono::nanoseconds solve_budget{};  ///< FrameSettings::solve_budget_ns
  std::array<double, kAnalysisStages> stage_ms{};  ///< how long each stage took
};

/// A copy of what was found in a frame. Its memory is allocated once, and reused for
/// successive frames.
class KeptFrame {
 public:
  KeptFrame(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
            const std::shared_ptr<mt::Executor>& executor);

  /// Where the analysis is to copy the pixels of the cells, see FrameAnalysis::enqueue.
  uint8_t* pixels() { return cells_.pixels(); }
  /// The frame's picture. Swap a picture into it rather than copying.
  Picture& source() { return source_; }
  /// Copies everything else. The features must have been fetched, and waited for.
  void copy(const AnalysedFrame& from);

  const AnalysedFrame& frame() const { return frame_; }

 private:
  Picture source_;
  KeptCells cells_;
  CandidateLists candidates_;
  Saliency saliency_;
  std::vector<int32_t> diffused_;
  FrameMotion motion_;
  AnalysedFrame frame_;
};

/// The frames that were analysed and not yet drawn, oldest first, and the one that was drawn last.
class FrameRing {
 public:
  FrameRing(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
            std::shared_ptr<mt::Executor> executor);

  /// Allocates memory, or frees what frames do not use. @param frames how many are to fit in
  void set_room(int frames);

  int size() const { return static_cast<int>(frames_.size()); }
  const AnalysedFrame& operator[](int i) const { return frames_[i]->frame(); }

  /// Memory for the next frame; there must be room. push() then adds the frame.
  KeptFrame& next() { return *unused_.back(); }
  void push();
  /// Removes and returns the oldest frame, which is to be drawn now. It is valid until the next
  /// call of pop() or drop_drawn().
  const AnalysedFrame& pop();
  void drop_drawn();
  /// Drops the frames that are not drawn yet.
  void clear();

 private:
  void free_unused();

  Grid grid_;
  std::shared_ptr<const PoolOnDevice> pool_;
  std::shared_ptr<mt::Executor> executor_;
  size_t room_ = 0;
  std::deque<std::unique_ptr<KeptFrame>> frames_;
  std::unique_ptr<KeptFrame> drawn_;
  std::vector<std::unique_ptr<KeptFrame>> unused_;
};

}  // namespace mosaic
