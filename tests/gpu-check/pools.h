// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"
#include "mosaic/base/grid.h"
#include "mosaic/engine/engine.h"
#include "mosaic/settings/profile.h"
#include "tests/mosaic/frames.h"

namespace gpu_check {

/// The settings of a frame with the element's default properties.
inline mosaic::FrameSettings usual_settings() {
  mosaic::FrameSettings settings;
  settings.look = mosaic::load_profile("vivid_b");
  return settings;
}

/// Pools of the built-in tiles, one for each side that is asked for.
class Pools {
 public:
  std::shared_ptr<const mosaic::Pool> of(const mosaic::Grid& grid) {
    return test::procedural_pool(*cpu_, grid.side, grid.draw_size);
  }
  /// An executor on all cores of the CPU.
  const std::shared_ptr<mt::Executor>& executor() { return cpu_; }

 private:
  std::shared_ptr<mt::Executor> cpu_ = mt::make_cpu_executor(0);
};

}  // namespace gpu_check
