// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include <memory>
#include <optional>

#include "gst/pool_loader.h"
#include "gst/properties.h"
#include "mosaic/engine.h"

namespace mosaic_gst {

/// What stands between frames and the engine: keeps grid, pool, engine and threads as the settings
/// want them. Streaming thread only, but for loader().interrupt().
/// Functions throw mosaic::Error and std::bad_alloc.
class Painter {
 public:
  /// @param element not owned; must outlive the painter
  explicit Painter(GstElement* element) : loader_(element) {}

  PoolLoader& loader() { return loader_; }

  /// The sizes of the frames to come. Forgets the frames seen.
  void set_format(const GstVideoInfo& in, const GstVideoInfo& out);

  /// Brings the grid up to date and has the pool that it needs loaded.
  void prepare(const Settings& settings);

  enum class Outcome {
    kDrawn,
    kPassed,       ///< no pool yet: the picture was copied
    kInterrupted,  ///< no pool yet, and waiting for it ended: nothing was done
  };
  /// Draws the mosaic of `in` into `out`, which may be the same frame. Calls prepare().
  /// @param may_wait        whether to wait for the pool
  /// @param solve_budget_ns as in mosaic::FrameSettings
  Outcome paint(GstVideoFrame& in, GstVideoFrame& out, const Settings& settings, bool may_wait,
                int64_t solve_budget_ns);

  /// Of the last frame that was drawn.
  const mosaic::FrameStats& last() const { return last_; }
  /// Photos of the pool in use that were skipped.
  int skipped() const { return pool_ ? pool_->skipped() : 0; }

  /// The next frame has nothing to do with the last.
  void forget();

  /// Drops everything; set_format comes next.
  void stop();

 private:
  void update_executor(unsigned threads);
  void update_engine(const Settings& settings);

  PoolLoader loader_;
  int in_width_ = 0, in_height_ = 0, out_width_ = 0, out_height_ = 0;

  std::optional<mosaic::Grid> grid_;  ///< for the settings below
  unsigned grid_tile_size_ = 0;
  std::string grid_size_;

  std::shared_ptr<mt::Executor> executor_;
  unsigned executor_threads_ = 0;

  /// Made of grid_ as it was then, pool_ and engine_uses_; null: to be made.
  std::unique_ptr<mosaic::Engine> engine_;
  bool engine_current_ = false;  ///< false: grid_ or the settings have changed since
  std::shared_ptr<const mosaic::Pool> pool_;
  unsigned engine_uses_ = 0;
  mosaic::FrameStats last_;
};

}  // namespace mosaic_gst
