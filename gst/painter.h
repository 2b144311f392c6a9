// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include <memory>
#include <optional>
#include <span>

#include "gst/frame_stage.h"
#include "gst/gpu.h"
#include "gst/pool_loader.h"
#include "gst/properties.h"
#include "gst/shown_mosaic.h"
#include "mosaic/engine.h"

namespace mosaic_gst {

/// Where frames lie and the mosaic is made.
struct Place {
  Device device = Device::kAuto;  ///< as the user set it
  bool frames_on_gpu = false;
};

/// What stands between frames and the engine: keeps grid, pool, engine and executor as the settings
/// want them. Streaming thread only, but for loader().interrupt().
/// Functions throw mosaic::Error, mt::GpuError and std::bad_alloc.
class Painter {
 public:
  using SettingsPtr = std::shared_ptr<const Settings>;

  /// @param element not owned; must outlive the painter
  explicit Painter(GstElement* element) : element_(element), loader_(element) {}

  PoolLoader& loader() { return loader_; }

  /// What the frames to come are like. Forgets the frames seen.
  /// @param gpu not owned; where executors on a GPU come from
  void set_format(const GstVideoInfo& in, const GstVideoInfo& out, const Place& place, Gpu& gpu,
                  int device_id);

  /// Brings the grid up to date and has the pool that it needs loaded.
  void prepare(const SettingsPtr& settings);

  enum class Outcome {
    kDrawn,
    kPassed,       ///< no pool yet: nothing was written, `in` is to be shown
    kScaled,       ///< no pool yet: the picture was copied in another size
    kInterrupted,  ///< no pool yet, and waiting for it ended: nothing was done
  };
  /// A frame, and what was set for it when it arrived.
  struct Frame {
    GstBuffer* buffer;
    const mosaic::FrameSettings* settings;
  };
  /// Draws the mosaic of `in` into `out`, which may be the same frame. Calls prepare().
  /// @param behind   the frames that will follow: those of the last time without `in`, and what
  ///                 has come since
  /// @param may_wait whether to wait for the pool
  Outcome paint(const Frame& in, GstBuffer* out, std::span<const Frame> behind,
                const SettingsPtr& settings, bool may_wait);

  /// Of the last frame that was drawn. Times of what runs on a GPU are those of the frame before,
  /// unless the property `silent` is unset.
  const mosaic::FrameStats& last() const { return last_; }
  /// The mosaic of that frame.
  const ShownMosaic& shown() const { return shown_; }
  /// Photos of the pool in use that were skipped.
  int skipped() const { return pool_ ? pool_->skipped() : 0; }
  /// Whether the last frame was drawn on a GPU.
  bool on_gpu() const { return gpu_executor_ != nullptr; }

  /// The next frame has nothing to do with the last.
  void forget();

  /// Lets go of executor and engine: the next frame makes new ones.
  void drop_executor();

  /// Drops everything; set_format comes next.
  void stop();

 private:
  bool wants_gpu() const;
  void update_executor(unsigned threads);
  void make_gpu_executor(int threads);
  void drop_engine();
  void update_engine(const Settings& settings);
  bool wait_for_pool(const Settings& settings, bool may_wait);
  void look_ahead(const Frame& in, std::span<const Frame> behind, unsigned frames);
  void foresee(const Frame& frame);
  /// Whether frames are copied to the GPU and back.
  bool staged() const { return gpu_executor_ && !place_.frames_on_gpu; }
  /// What frames are mapped with, beside read and write.
  int map_flag() const { return gpu_executor_ && place_.frames_on_gpu ? Gpu::map_flag() : 0; }
  mt::FrameView load(GstVideoFrame& frame);
  Outcome draw(const Frame& in, GstBuffer* out, const Settings& settings);

  GstElement* element_;
  PoolLoader loader_;
  GstVideoInfo in_info_{}, out_info_{};
  Place place_;
  Gpu* gpu_ = nullptr;
  int device_id_ = -1;

  SettingsPtr prepared_;              ///< what prepare() saw last
  std::optional<mosaic::Grid> grid_;  ///< for the settings below
  unsigned grid_tile_size_ = 0;
  std::string grid_size_;

  std::shared_ptr<mt::Executor> executor_;
  std::shared_ptr<mt::GpuExecutor> gpu_executor_;  ///< the same; null: on the CPU
  unsigned executor_threads_ = 0;
  FrameStage in_stage_, out_stage_;  ///< for frames of the host and kernels on a GPU

  /// Made of grid_ as it was then, pool_ and engine_uses_; null: to be made.
  std::unique_ptr<mosaic::Engine> engine_;
  bool engine_current_ = false;  ///< false: grid_ or the settings have changed since
  std::shared_ptr<const mosaic::Pool> pool_;
  unsigned engine_uses_ = 0;
  mosaic::FrameStats last_;
  ShownMosaic shown_;
  uint64_t drawn_ = 0;  ///< frames since the start
};

}  // namespace mosaic_gst
