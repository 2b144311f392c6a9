// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include "gst/messages/shown_mosaic.h"

namespace mosaic_gst {

/// Name of the meta. docs/meta.md describes its fields.
inline constexpr char kMetaName[] = "GstMosaicTemporalMeta";

/// Registers the meta with GStreamer. To be called once in a process.
void register_meta();

/// Attaches a description of the mosaic that a writable buffer shows; replaces an earlier one.
void set_meta(GstBuffer* buffer, const ShownMosaic& shown);

}  // namespace mosaic_gst
