// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/examination.h"

#include <utility>

#include "cuda/kernels.h"

namespace mosaic {

Examination::Examination(const Grid& grid, std::shared_ptr<const PoolOnDevice> pool,
                         const std::shared_ptr<mt::Executor>& executor)
    : stretched_(grid.stretched),
      source_(grid.in_width, grid.in_height, executor),
      gray_(executor, static_cast<size_t>(source_.planes().stride) * grid.in_height),
      scene_(grid.in_width, grid.in_height, executor),
      analysis_(grid, executor),
      detail_(grid, executor),
      candidates_(grid.cells(), std::move(pool), executor),
      saliency_(grid) {}

void Examination::unpack(mt::Executor& executor, const mt::FrameView& in) {
  executor.launch(mt::Unpack{in, source_.planes(), gray_.data()}, in.height);
}

void Examination::find_scene(mt::Executor& executor, const Settings& settings) {
  scene_.set_size(settings.flow_width, settings.flow_height);
  scene_.look(executor, gray_.data(), source_.planes().stride, settings.scene_threshold,
              settings.cut);
}

void Examination::analyse(mt::Executor& executor, bool first) {
  const mt::Planes planes = source_.planes();
  analysis_.look(executor, planes, first);
  detail_.look(executor, analysis_.picture(planes), stretched_ ? nullptr : gray_.data(),
               analysis_.on_device().changed);
}

void Examination::collect(double newest, bool listed) {
  const mt::SceneState& now = scene_.state();
  if (now.kept) {
    analysis_.keep(now.kept);
    saliency_.keep(now.kept);
  }
  if (now.returned) {
    analysis_.recall(now.returned);
    saliency_.recall(now.returned);
  }
  analysis_.collect();
  saliency_.update(analysis_.stats(), detail_, scene_.cut(), newest);
  if (listed) candidates_.collect(analysis_);
}

}  // namespace mosaic
