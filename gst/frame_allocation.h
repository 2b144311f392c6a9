// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include "gst/gpu.h"

namespace mosaic_gst {

/// Adds a pool to an allocation query from upstream, unless it has one: frames of its caps, in the
/// memory that they name.
/// @return whether the query is answered
/// Throws what Gpu::make_pool throws.
bool propose_pool(Gpu& gpu, GstQuery* query);

/// Tells whoever asks by an allocation query that so many frames are held back: its pool, ours or
/// its own, needs as many more.
void ask_for_more(GstQuery* query, guint frames);

/// Chooses the pool for output frames, given downstream's answer to an allocation query: its pool
/// if that gives the memory that the caps name in the right context, else one of our own.
/// @return whether the query has caps of video
/// Throws what Gpu::make_pool throws.
bool decide_pool(Gpu& gpu, GstQuery* query);

}  // namespace mosaic_gst
