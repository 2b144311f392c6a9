// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>
#include <utility>

#include "executor/executor.h"
#include "kernels/views.h"
#include "mosaic/analysis/analysis.h"
#include "mosaic/analysis/continuation.h"
#include "mosaic/analysis/detail.h"
#include "mosaic/analysis/saliency.h"
#include "mosaic/analysis/scene.h"
#include "mosaic/base/grid.h"
#include "mosaic/base/picture.h"
#include "mosaic/candidates/candidate_source.h"
#include "mosaic/pool/pool_on_device.h"

namespace mosaic {

/// Computes, frame after frame, all that is needed to choose the tiles: the frame's pixels, how it
/// continues the frames before it, the features and weights of its cells, and the candidates for
/// them.
class FrameAnalyser {
 public:
  struct Settings {
    double scene_threshold = 10;              ///< see SceneDetector::enqueue
    int flow_width = 480, flow_height = 272;  ///< see SceneDetector::set_size
    bool always_cut = false;                  ///< every frame is a cut
    double tolerance = 0;                     ///< AnalysisTolerance::levels
  };
  FrameAnalyser(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
                const std::shared_ptr<mt::Executor>& executor);

  /// Launch the steps for one frame. They are to be called in this order, list() last.
  void unpack(mt::Executor& executor, const mt::FrameView& in);
  void find_scene(mt::Executor& executor, const Settings& settings);
  /// @param copy see FrameAnalysis::enqueue
  void analyse(mt::Executor& executor, const Settings& settings, uint8_t* copy = nullptr);
  /// Launches the candidate lists.
  void list(mt::Executor& executor) {
    candidates_.enqueue(executor, analysis_, scene_.on_device());
  }
  /// Launches all steps.
  void enqueue(mt::Executor& executor, const mt::FrameView& in, const Settings& settings) {
    unpack(executor, in);
    find_scene(executor, settings);
    analyse(executor, settings);
    list(executor);
  }

  /// Reads the results back, once the steps have been waited for.
  /// @param newest weight of this frame in averages over time
  /// @param listed whether list() was among the steps
  /// @param regions of interest in this frame
  void read_back(double newest, bool listed = true, std::span<const Region> regions = {});

  /// The next frame continues none (Continuation::kStart), and its picture is compared with none.
  void forget() {
    starts_ = true;
    scene_.forget();
  }
  /// The next frame continues none, but its picture is still compared with the last one.
  void restart() { starts_ = true; }
  /// Until read_back(): whether the frame is a Continuation::kStart; known before the analysis.
  bool starts() const { return starts_; }
  /// After read_back(): how the frame continues those before it.
  const SceneUpdate& scene() const { return scene_update_; }

  mt::Planes source() { return source_.planes(); }
  /// Gives the frame's picture away in exchange for another of the same size, whose content does
  /// not matter.
  void swap_source(Picture& other) { std::swap(source_, other); }
  const SceneDetector& scene_detector() const { return scene_; }
  FrameAnalysis& analysis() { return analysis_; }
  const FrameAnalysis& analysis() const { return analysis_; }
  const CandidateLists& candidates() const { return candidates_.lists(); }
  const Saliency& saliency() const { return saliency_; }

 private:
  bool resampled_;
  Picture source_;
  mt::DeviceBuffer<uint8_t> gray_;
  SceneDetector scene_;
  bool starts_ = true;
  SceneUpdate scene_update_;  ///< of the last frame
  FrameAnalysis analysis_;
  Detail detail_;
  CandidateSource candidates_;
  Saliency saliency_;
};

}  // namespace mosaic
