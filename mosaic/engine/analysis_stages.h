// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "executor/executor.h"
#include "kernels/views.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/analysis/block_motion.h"
#include "mosaic/analysis/detail.h"
#include "mosaic/analysis/saliency.h"
#include "mosaic/analysis/scene.h"
#include "mosaic/base/grid.h"
#include "mosaic/base/picture.h"
#include "mosaic/candidates/candidate_source.h"
#include "mosaic/engine/analysed_frame.h"
#include "mosaic/engine/engine.h"
#include "mosaic/motion_network/network_motion.h"
#include "mosaic/placement/diffusion.h"
#include "mosaic/pool/pool_on_device.h"

namespace mosaic {

/// Whether tiles follow motion: if `flow` asks for it, except with the diffusion, which cannot move
/// tiles to other cells, and without temporal coherence.
bool follows_motion(const FrameSettings& settings);

/// The stages that a frame passes before the assignment: its pixels are unpacked; it is compared
/// with the frames before it; its cells are analysed; and their candidate lists are made, or the
/// diffusion chooses their tiles without an assignment. Every frame passes them once, in the order
/// of the stream.
class AnalysisStages {
 public:
  /// @param max_diffused how often the diffusion may use a tile. If it is the number of
  ///                      cells, only dedup_radius keeps uses apart.
  AnalysisStages(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool, int max_diffused,
                 std::shared_ptr<mt::Executor> executor);

  /// Launches all stages of a frame but the last, which list() launches.
  /// @param in   of the grid's input size
  /// @param kept memory that is to keep the frame, or null
  void enqueue(const mt::FrameView& in, const FrameSettings& settings, KeptFrame* kept = nullptr);
  /// Launches the last stage: the candidate lists or the diffusion.
  void list(const FrameSettings& settings);
  /// Reads the results back, once the executor has been waited for.
  /// @param regions the regions of interest in the frame
  void read_back(const FrameSettings& settings, std::span<const Region> regions = {});

  /// After read_back(): what was found; valid until the next enqueue().
  const AnalysedFrame& frame() const { return frame_; }
  /// Before read_back(): whether the frame continues no earlier frame (Continuation::kStart).
  bool starts() const { return starts_; }

  /// The next frame continues none (Continuation::kStart), and its picture is compared with none.
  void forget();

 private:
  void unpack(const mt::FrameView& in);
  void find_scene(const FrameSettings& settings);
  void find_motion(const FrameSettings& settings);
  void find_motion_by_network(const FrameSettings& settings);
  void analyse(const FrameSettings& settings);
  void diffuse(const FrameSettings& settings);
  void end_stage(AnalysisStage stage) { laps_[stage] = executor_->lap(); }

  Grid grid_;
  std::shared_ptr<const PoolOnDevice> pool_;
  int max_diffused_;
  std::shared_ptr<mt::Executor> executor_;
  Picture source_;                  ///< the frame, in_width x in_height
  mt::DeviceBuffer<uint8_t> gray_;  ///< [in_height][stride of source_]
  SceneDetector scene_;
  bool starts_ = true;  ///< see starts(); after read_back(), of the frame to come
  /// At most one of the two exists.
  std::optional<BlockMotion> block_motion_;
  std::optional<NetworkMotion> network_motion_;
  Motion* motion_ = nullptr;  ///< the one in use; null if tiles do not follow motion
  FrameAnalysis analysis_;
  Detail detail_;
  Saliency saliency_;
  CandidateSource candidates_;
  std::optional<Diffusion> diffusion_;
  PlacementKind placement_{};  ///< of the newest frame
  KeptFrame* kept_ = nullptr;  ///< of the newest frame
  mt::Lap laps_[kAnalysisStages];
  AnalysedFrame frame_;
};

}  // namespace mosaic
