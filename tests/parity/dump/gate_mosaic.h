// SPDX-License-Identifier: LGPL-2.1-or-later
// Makes the mosaics of gate.py's dump programs.
#pragma once

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>

#include "cpu/cpu_executor.h"
#include "mosaic/engine/engine.h"
#include "mosaic/pool/pool.h"
#include "mosaic/settings/profile.h"

namespace parity {

/// An engine whose pool is a folder of photos, not cached.
struct GateMosaic {
  /// @param argv of main: from argv[1] on PHOTOS SIDE WIDTH HEIGHT
  explicit GateMosaic(char** argv)
      : width(std::atoi(argv[3])),
        height(std::atoi(argv[4])),
        executor(mt::make_cpu_executor(0)),
        grid(mosaic::choose_grid(width, height, width, height, std::atoi(argv[2]), "1")),
        pool(load(argv[1])),
        engine(grid, pool, {}, executor) {}

  /// The settings for a frame on its own, without history.
  static mosaic::FrameSettings settings(const std::string& profile) {
    mosaic::FrameSettings settings;
    settings.coherence = mosaic::Coherence::kNone;
    settings.look = mosaic::load_profile(profile);
    return settings;
  }

  const int width, height;
  const std::shared_ptr<mt::Executor> executor;
  const mosaic::Grid grid;
  const std::shared_ptr<const mosaic::Pool> pool;
  mosaic::Engine engine;

 private:
  std::shared_ptr<const mosaic::Pool> load(const char* photos) const {
    const std::atomic<bool> cancelled{false};
    return mosaic::load_pool(
        *mosaic::open_photo_folder(photos, cancelled), {grid.side, grid.draw_size, true, ""},
        *executor, [](const mosaic::PoolProgress&) {}, [](const std::string&) {}, cancelled);
  }
};

}  // namespace parity
