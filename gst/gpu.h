// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include <memory>
#include <mutex>

#include "cuda/gpu_executor.h"

typedef struct _GstCudaContext GstCudaContext;

namespace mosaic_gst {

/// An element's share of a GPU: the context that the pipeline works in, pools of frames in its
/// memory, and the executor that draws there. All that is asked of GStreamer's CUDA library, and
/// all in which its versions differ, is in gpu.cpp; no_gpu.cpp stands in for it in a build without.
///
/// One thread at a time, but for set_context() and answer().
class Gpu {
 public:
  /// @param element not owned; must outlive this
  explicit Gpu(GstElement* element) : element_(element) {}
  ~Gpu() { drop_context(); }
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  /// Whether this build can use a GPU.
  static bool built_in();

  /// Has the plugin say what is missing on this machine. Initialises nothing.
  static void tell_status(GstPlugin* plugin);

  /// What gst_buffer_map() takes beside read and write to give the device's address.
  static int map_flag();

  /// Takes a context that the pipeline has, or makes one. Does nothing where there is one already.
  /// @param device_id which GPU; -1: any
  /// Throws mosaic::Error (kNotFound) where no GPU can be used.
  void find_context(int device_id);

  /// Whether a frame lies in another context than this one; it can be drawn nowhere else.
  bool is_elsewhere(GstBuffer* frame) const;
  /// Changes to the context in which such a frame lies: executor and pools are to be made anew.
  void adopt_context(GstBuffer* frame, int device_id);

  /// Copies a frame's picture to another frame. It is there for whoever reads it in the order that
  /// memories have.
  /// Throws GpuError, and mosaic::Error (kRead) for a frame that is not in GPU memory.
  void copy(const GstVideoInfo& info, GstBuffer* from, GstBuffer* to);

  void drop_context();

  /// What GstElement::set_context brings.
  void set_context(GstContext* context, int device_id);

  /// Answers a context query if it is for this context.
  bool answer(GstQuery* query);

  /// A pool of frames in the context's memory, configured.
  /// @param like their neighbour in the pipeline, so that both are worked on in one order; may be
  ///             null
  /// @param size receives the bytes of a frame
  /// Throws GpuError.
  GstBufferPool* make_pool(GstCaps* caps, guint min, guint max, GstBuffer* like, guint* size);

  /// Configures a pool from elsewhere for frames in the context's memory.
  /// @return false: it gives other frames, or cannot be configured
  bool configure_pool(GstBufferPool* pool, GstCaps* caps, guint min, guint max, guint* size);

  /// An executor in the context. Throws GpuError.
  std::shared_ptr<mt::GpuExecutor> make_executor(int threads);

  /// Call with both frames mapped (they may be the same): from now on the executor, which is the
  /// last that was made here, works where it may read one and write the other.
  /// @return whether the executor must have finished before either goes on
  /// Throws GpuError, and mosaic::Error (kRead) for a frame that is not in GPU memory.
  bool order(mt::GpuExecutor& executor, GstBuffer* in, GstBuffer* out);

 private:
  struct Lease;

  bool configure(GstBufferPool* pool, GstCaps* caps, guint min, guint max, GstBuffer* like,
                 guint* size);

  GstElement* element_;
  std::mutex mutex_;  ///< guards context_ against set_context() and answer()
  GstCudaContext* context_ = nullptr;
  std::shared_ptr<void> pool_stream_;  ///< that of the pools made here
  std::weak_ptr<Lease> lease_;         ///< of the executor
};

}  // namespace mosaic_gst
