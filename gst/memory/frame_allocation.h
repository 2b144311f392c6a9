// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include "gst/memory/gpu.h"
#include "gst/pointers.h"

namespace mosaic_gst {

/// A configured pool of frames of fixed caps, in the kind of memory that the caps name; null if
/// none can be made.
/// @param like a frame whose CUDA stream the pool uses, see Gpu::make_pool(); may be null
/// @param size receives the bytes of a frame
/// Throws what Gpu::make_pool throws.
Owned<GstBufferPool> make_frame_pool(Gpu& gpu, GstCaps* caps, GstBuffer* like, guint* size);

/// Removes support for crop metas from the answer to an allocation query. Downstream's answer is
/// passed on to upstream, but a frame with a crop meta would have to be copied here.
void refuse_crop_metas(GstQuery* query);

/// Adds a pool to an allocation query from upstream, unless it has one: frames of the query's caps,
/// in the kind of memory that the caps name.
/// @return false: no pool can be made, the query is not answered
/// Throws what Gpu::make_pool throws.
bool propose_pool(Gpu& gpu, GstQuery* query);

/// Raises the numbers of buffers in the answer to an allocation query by the number of frames that
/// are held back, for whichever pool upstream then uses.
void ask_for_more(GstQuery* query, guint frames);

/// Chooses the pool for output frames from downstream's answer to an allocation query: downstream's
/// pool if it allocates the kind of memory that the caps name, in the right CUDA context; otherwise
/// a pool of our own.
/// @return whether the query has video caps
/// Throws what Gpu::make_pool throws.
bool decide_pool(Gpu& gpu, GstQuery* query);

}  // namespace mosaic_gst
