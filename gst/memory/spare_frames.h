// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gst/memory/gpu.h"
#include "gst/pointers.h"

namespace mosaic_gst {

/// Takes a buffer from a pool and gives it the input's timestamps, flags and metas. Posts an error
/// if the pool cannot allocate one.
GstFlowReturn take_from_pool(GstBaseTransform* trans, GstBufferPool* pool, GstBuffer* input,
                             Owned<GstBuffer>& output);

/// Buffers with the caps of the input, for frames that cannot be drawn in place and for copies of
/// frames that are held back. The pool is made for the first buffer. Streaming thread only.
class SpareFrames {
 public:
  SpareFrames() = default;
  ~SpareFrames() { drop(); }
  SpareFrames(const SpareFrames&) = delete;
  SpareFrames& operator=(const SpareFrames&) = delete;

  /// Does what take_from_pool() does.
  /// Throws what Gpu::make_pool throws.
  GstFlowReturn take(GstBaseTransform* trans, Gpu& gpu, GstBuffer* input, Owned<GstBuffer>& output);

  /// Drops the pool. To be called when the caps or the CUDA context change.
  void drop();

 private:
  Owned<GstBufferPool> pool_;
};

}  // namespace mosaic_gst
