// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>

#include "cuda/executor.h"
#include "mosaic/engine.h"
#include "mosaic/grid.h"
#include "mosaic/profile.h"
#include "tests/core/frames.h"

namespace gpu_check {

/// What the element asks of a frame unless it is told otherwise.
inline mosaic::FrameSettings usual_settings() {
  mosaic::FrameSettings settings;
  settings.look = mosaic::load_profile("vivid_b");
  return settings;
}

/// The built-in tiles at the sides that are asked for.
class Pools {
 public:
  std::shared_ptr<const mosaic::Pool> of(const mosaic::Grid& grid) {
    return test::procedural_pool(*cpu_, grid.side, grid.draw_side);
  }
  /// Of the CPU, on all cores.
  const std::shared_ptr<mt::Executor>& executor() { return cpu_; }

 private:
  std::shared_ptr<mt::Executor> cpu_ = mt::make_cpu_executor(0);
};

}  // namespace gpu_check
