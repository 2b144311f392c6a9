// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/engine/frame_analyser.h"

#include <utility>

#include "kernels/frame/scene_change.h"
#include "kernels/frame/unpack.h"

namespace mosaic {

FrameAnalyser::FrameAnalyser(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
                             const std::shared_ptr<mt::Executor>& executor)
    : resampled_(grid.resampled()),
      source_(grid.in_width, grid.in_height, executor),
      gray_(executor, static_cast<size_t>(source_.planes().stride) * grid.in_height),
      scene_(grid.in_width, grid.in_height, executor),
      analysis_(grid, executor),
      detail_(grid, executor),
      candidates_(grid.cells(), std::move(pool), executor),
      saliency_(grid) {}

void FrameAnalyser::unpack(mt::Executor& executor, const mt::FrameView& in) {
  executor.launch(mt::Unpack{in, source_.planes(), gray_.data()}, in.height);
}

void FrameAnalyser::find_scene(mt::Executor& executor, const Settings& settings) {
  scene_.set_size(settings.flow_width, settings.flow_height);
  const Continuation given = starts_               ? Continuation::kStart
                             : settings.always_cut ? Continuation::kCut
                                                   : Continuation::kContinues;
  scene_.enqueue(executor, gray_.data(), source_.planes().stride, settings.scene_threshold, given);
}

void FrameAnalyser::analyse(mt::Executor& executor, const Settings& settings, uint8_t* copy) {
  const mt::Planes planes = source_.planes();
  analysis_.enqueue(executor, planes, starts_, copy, {settings.tolerance, scene_.on_device()});
  detail_.enqueue(executor, analysis_.picture(planes), resampled_ ? nullptr : gray_.data(),
                  analysis_.on_device().changed);
}

void FrameAnalyser::read_back(double newest, bool listed, std::span<const Region> regions) {
  scene_update_ = scene_.found();
  starts_ = false;
  analysis_.read_back(scene_update_);
  saliency_.update(analysis_.stats(), detail_, scene_update_, newest, regions);
  if (listed) candidates_.read_back(analysis_);
}

}  // namespace mosaic
