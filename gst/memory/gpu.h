// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include <memory>
#include <mutex>

#include "cuda/gpu_executor.h"
#include "gst/pointers.h"

typedef struct _GstCudaContext GstCudaContext;

namespace mosaic_gst {

/// A GPU as an element uses it: the pipeline's CUDA context, pools of frames in the GPU's memory,
/// and the executor that draws there. All calls of GStreamer's CUDA library, and all differences
/// between its versions, are in gpu.cpp; a build without CUDA has no_gpu.cpp instead.
///
/// One thread at a time, except set_context() and answer_context_query(), which any thread may
/// call.
class Gpu {
 public:
  /// @param element not owned; must outlive this
  explicit Gpu(GstElement* element) : element_(element) {}
  ~Gpu() { drop_context(); }
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  /// Whether this build can use a GPU.
  static bool built_in();

  /// Adds a warning to the plugin if this machine has no CUDA driver. Initialises nothing.
  static void warn_without_driver(GstPlugin* plugin);

  /// The flag with which gst_buffer_map() gives the address on the device.
  static int map_flag();

  /// Takes the pipeline's context, or makes one. Does nothing if there is one already.
  /// @param device_id which GPU; -1: any
  /// Throws mosaic::Error (kNotFound) if no GPU can be used.
  void find_context(int device_id);

  /// Whether a frame is in another CUDA context. It can be drawn on only in its own context.
  bool is_in_other_context(GstBuffer* frame) const;
  /// Changes to the context of such a frame. The executor and pools have to be made again.
  void adopt_context(GstBuffer* frame, int device_id);

  /// Copies a frame's picture to another frame; of a cropped frame, only the visible part. The copy
  /// runs on the CUDA stream of `to`; with GStreamer before 1.24 it is finished on return.
  /// Throws GpuError, and mosaic::Error (kRead) for a frame that is not in GPU memory.
  void copy(const GstVideoInfo& info, GstBuffer* from, GstBuffer* to);

  void drop_context();

  /// Takes a context that GstElement::set_context was called with.
  void set_context(GstContext* context, int device_id);

  /// Answers a query for a CUDA context with this one. @return false: not answered
  bool answer_context_query(GstQuery* query);

  /// A configured pool of frames in the context's memory.
  /// @param like a frame whose CUDA stream the pool uses, so that work on both is in order; may be
  ///             null
  /// @param size receives the bytes of a frame
  /// Throws GpuError.
  Owned<GstBufferPool> make_pool(GstCaps* caps, guint min, guint max, GstBuffer* like, guint* size);

  /// Configures another element's pool for frames in the context's memory.
  /// @return false: the pool is of another kind or context, or cannot be configured
  bool configure_pool(GstBufferPool* pool, GstCaps* caps, guint min, guint max, guint* size);

  /// An executor in the context. Throws GpuError.
  std::shared_ptr<mt::GpuExecutor> make_executor(int threads);

  /// Orders what the executor (the last one made here) does from now on after earlier work on two
  /// frames, so that it may read `in` and write `out`. Both are mapped; they may be the same.
  /// @return whether the executor must have finished before either frame is passed on
  /// Throws GpuError, and mosaic::Error (kRead) for a frame that is not in GPU memory.
  bool synchronise(mt::GpuExecutor& executor, GstBuffer* in, GstBuffer* out);

 private:
  struct ExecutorResources;

  bool configure(GstBufferPool* pool, GstCaps* caps, guint min, guint max, GstBuffer* like,
                 guint* size);

  GstElement* element_;
  /// Guards context_, which set_context() and answer_context_query() use from other threads.
  std::mutex mutex_;
  GstCudaContext* context_ = nullptr;
  std::shared_ptr<void> pool_stream_;                    ///< the CUDA stream of the pools made here
  std::weak_ptr<ExecutorResources> executor_resources_;  ///< of the last executor made here
};

}  // namespace mosaic_gst
