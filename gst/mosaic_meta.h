// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include "gst/shown_mosaic.h"

namespace mosaic_gst {

/// The name of the meta; docs/meta.md has its fields.
inline constexpr char kMetaName[] = "GstMosaicTemporalMeta";

/// Makes the meta known to GStreamer. Once in a process.
void register_meta();

/// Says on a writable buffer which mosaic it shows. What it said before is replaced.
void set_meta(GstBuffer* buffer, const ShownMosaic& shown);

}  // namespace mosaic_gst
