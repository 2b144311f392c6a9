// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Each part of the element has a category of its own in GStreamer's debug log, so that GST_DEBUG
/// can select parts. "mosaictemporal*:5" shows all of them.
#pragma once

#include <gst/gst.h>

namespace mosaic_gst {

enum class LogPart { kElement, kFrames, kMemory, kDrawing, kPool, kProperties };

/// A part's category, for GST_CAT_DEFAULT. The first call registers all of them. Thread-safe.
GstDebugCategory* log_category(LogPart part);

}  // namespace mosaic_gst
