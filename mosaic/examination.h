// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>

#include "cuda/executor.h"
#include "cuda/views.h"
#include "mosaic/analysis.h"
#include "mosaic/candidate_lists.h"
#include "mosaic/detail.h"
#include "mosaic/grid.h"
#include "mosaic/picture.h"
#include "mosaic/pool_on_device.h"
#include "mosaic/saliency.h"
#include "mosaic/scene.h"

namespace mosaic {

/// Everything that is asked of a frame before its tiles are chosen, frame after frame.
class Examination {
 public:
  struct Settings {
    double scene_threshold = 10;              ///< see SceneDetector::look
    int flow_width = 480, flow_height = 272;  ///< see SceneDetector::set_size
    bool first = false;                       ///< nothing is known of the frame before
    bool cut = false;                         ///< the frame begins a scene, whatever it shows
  };
  Examination(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
              const std::shared_ptr<mt::Executor>& executor);

  /// Has a frame looked at, step by step in this order,
  void unpack(mt::Executor& executor, const mt::FrameView& in);
  void find_scene(mt::Executor& executor, const Settings& settings);
  void analyse(mt::Executor& executor, bool first);
  /// and the tiles listed that are cheapest for its cells. @param haste see CandidateLists::look
  void list(mt::Executor& executor, const Haste* haste = nullptr) {
    candidates_.look(executor, analysis_, scene_.on_device(), haste);
  }
  /// All of it.
  void look(mt::Executor& executor, const mt::FrameView& in, const Settings& settings) {
    unpack(executor, in);
    find_scene(executor, settings);
    analyse(executor, settings.first);
    list(executor);
  }

  /// Takes in what was found, once that has been waited for. A scene that is cut off is kept, one
  /// that returns goes on.
  /// @param newest weight of this frame where frames are averaged
  /// @param listed whether list() was
  void collect(double newest, bool listed = true);

  /// The next frame has none before it.
  void forget() { scene_.forget(); }

  mt::Planes source() { return source_.planes(); }
  const SceneDetector& scene() const { return scene_; }
  /// Whether the frame goes on from another than the one before, or from none.
  bool begins() const { return scene_.cut() || scene_.state().returned; }
  FrameAnalysis& analysis() { return analysis_; }
  const FrameAnalysis& analysis() const { return analysis_; }
  const CandidateLists& candidates() const { return candidates_; }
  const Saliency& saliency() const { return saliency_; }

 private:
  bool stretched_;
  Picture source_;
  mt::DeviceBuffer<uint8_t> gray_;
  SceneDetector scene_;
  FrameAnalysis analysis_;
  Detail detail_;
  CandidateLists candidates_;
  Saliency saliency_;
};

}  // namespace mosaic
