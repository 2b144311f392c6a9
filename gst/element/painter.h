// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "gst/memory/device_frame_copy.h"
#include "gst/memory/gpu.h"
#include "gst/messages/shown_mosaic.h"
#include "gst/photos/pool_loader.h"
#include "gst/properties/refusal.h"
#include "gst/properties/settings.h"
#include "mosaic/engine/engine.h"
#include "mosaic/stream/stream_header.h"

namespace mosaic_gst {

/// Where frames are, and where the mosaic is to be made.
struct DeviceChoice {
  Device device = Device::kAuto;  ///< as the user set it
  bool frames_on_gpu = false;
  int device_id = -1;  ///< which GPU; -1: any
};

/// Draws mosaics on frames: keeps grid, pool, engine and executor up to date with the settings, and
/// passes mapped frames to the engine. Streaming thread only, except interrupt().
/// Functions throw mosaic::Error, mt::GpuError and std::bad_alloc.
class Painter {
 public:
  using SettingsPtr = std::shared_ptr<const Settings>;

  /// Told of settings that could not be used, of which a warning was posted. Called from any
  /// thread. If they are not taken back, later frames are warned of again.
  using Refused = std::function<void(const Refusal&)>;

  /// @param element, gpu not owned; must outlive the painter. `gpu` makes executors on a GPU
  Painter(GstElement* element, Gpu& gpu, Refused refused);

  /// Until the interrupt is switched off, paint() and repeat() give up what they do, within
  /// milliseconds where the CPU draws, and wait for nothing. Any thread may call it.
  void interrupt(PoolLoader::Interrupt why, bool on);

  /// Sets the format of the next frames, and makes the first of them a keyframe.
  void set_format(const GstVideoInfo& in, const GstVideoInfo& out, const DeviceChoice& device);

  /// Brings the grid up to date and starts loading the pool that it needs. Settings that cannot be
  /// used are an error before the first frame; later they are refused, and the last values that
  /// could be used are used instead.
  void prepare(const SettingsPtr& settings);

  enum class Outcome {
    kDrawn,
    kInputUnchanged,  ///< no pool yet: nothing was written, `in` is to be sent
    kCopied,          ///< no pool yet: the picture was copied, scaled if sizes differ
    kInterrupted,     ///< the frame was given up; the next one is a keyframe
    kRepeated,        ///< the last mosaic was drawn again
  };
  /// A frame, and its settings as they were when it arrived.
  struct Frame {
    GstBuffer* buffer;
    const mosaic::FrameSettings* settings;
  };
  /// Draws the mosaic of `in` into `out`, which may be the same frame. Calls prepare().
  /// @param later_frames the frames that have arrived after `in`, oldest first: those of the last
  ///                     call without `in`, and those that arrived since
  /// @param may_wait     whether to wait for the pool
  Outcome paint(const Frame& in, GstBuffer* out, std::span<const Frame> later_frames,
                const SettingsPtr& settings, bool may_wait);

  /// Draws the last mosaic again, if there is one, else as paint(). Without a lookahead only.
  Outcome repeat(const Frame& in, GstBuffer* out, const SettingsPtr& settings);

  /// Receives what a stream of indices says of a frame.
  using Described =
      std::function<void(const mosaic::stream::StreamHeader&, const mosaic::stream::FrameState&)>;
  /// Describes the mosaic of `in` instead of drawing it; otherwise as paint(). Without a pool
  /// nothing is described, and the outcome is kInputUnchanged.
  /// Throws mosaic::Error (kSettings) if the photos are not those of one pack.
  Outcome describe(const Frame& in, std::span<const Frame> later_frames,
                   const SettingsPtr& settings, bool may_wait, const Described& described);

  /// Statistics of the last frame that was drawn. Times of stages on a GPU may be those of the
  /// frame before it, unless the property `silent` is false.
  const mosaic::FrameStats& last() const { return last_; }
  /// The mosaic of the last frame that was drawn.
  const ShownMosaic& shown() const { return shown_; }
  /// The number of photos that were skipped when the pool in use was loaded.
  int skipped() const { return pool_ ? pool_->skipped() : 0; }
  /// Whether the last frame was drawn on a GPU.
  bool on_gpu() const { return gpu_executor_ != nullptr; }

  /// Makes the next frame a keyframe.
  void forget();

  /// Destroys executor and engine; the next frame makes new ones.
  void drop_executor();

  /// Drops everything. set_format() has to be called before the next frame.
  void stop();

 private:
  bool wants_gpu() const;
  void check(const SettingsPtr& settings);
  void check_memory(const Settings& settings, const mosaic::Pool* pool) const;
  mosaic::Shape cell_shape(const Settings& settings);
  void update_grid(const Settings& settings);
  void update_executor(unsigned threads);
  void make_gpu_executor(int threads);
  void drop_engine();
  void update_engine(const Settings& settings);
  bool wait_for_pool(const Settings& settings, bool may_wait);
  void update_lookahead(const Frame& in, std::span<const Frame> later_frames, unsigned frames);
  void analyse_ahead(const Frame& frame);
  std::span<const mosaic::Region> regions_of(GstBuffer* frame);
  /// Whether frames are copied to the GPU and back.
  bool copies_frames() const { return gpu_executor_ && !device_.frames_on_gpu; }
  /// The flag for mapping frames, in addition to read and write.
  int map_flag() const { return gpu_executor_ && device_.frames_on_gpu ? Gpu::map_flag() : 0; }
  mt::FrameView load(GstVideoFrame& frame);
  Outcome draw(const Frame& in, GstBuffer* out, const Settings& settings, bool again = false);
  mosaic::stream::StreamHeader stream_header(const mosaic::FrameSettings& settings) const;
  void count_frame();
  void recover();

  GstElement* element_;
  Gpu& gpu_;
  std::mutex interrupt_mutex_;
  unsigned interrupts_ = 0;  ///< a bit for each PoolLoader::Interrupt that is on; with the mutex
  std::atomic<bool> interrupted_ = false;  ///< whether any is
  Refused refused_;
  PoolLoader loader_;
  GstVideoInfo in_info_{}, out_info_{};
  DeviceChoice device_;

  SettingsPtr prepared_;              ///< the last argument of prepare()
  std::optional<mosaic::Grid> grid_;  ///< for the settings below
  GridSettings grid_of_;
  mosaic::Shape cell_, engine_cell_;  ///< the shape of the cells of grid_, and of engine_
  struct AutomaticShape {
    std::string location;  ///< of the photos
    mosaic::Shape shape;
  };
  std::optional<AutomaticShape> automatic_;  ///< what tile-aspect-ratio=auto meant last

  std::shared_ptr<mt::Executor> executor_;
  std::shared_ptr<mt::GpuExecutor> gpu_executor_;  ///< the same as executor_; null: on the CPU
  unsigned executor_threads_ = 0;
  DeviceFrameCopy in_copy_, out_copy_;  ///< for frames in system memory and kernels on a GPU

  /// Made from pool_, engine_uses_ and the grid_ of that time; null: not made yet.
  std::unique_ptr<mosaic::Engine> engine_;
  bool engine_current_ = false;  ///< false: grid_ or pool_ has changed since it was made
  std::shared_ptr<const mosaic::Pool> pool_;
  mosaic::UseSettings engine_uses_;
  std::vector<mosaic::Region> regions_;  ///< of interest in one frame
  mosaic::FrameStats last_;
  ShownMosaic shown_;
  uint64_t drawn_ = 0;       ///< mosaics drawn since the start
  bool has_output_ = false;  ///< a frame was output since the start, as a mosaic or not
};

}  // namespace mosaic_gst
