// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

namespace mosaic_gst {

/// Registers what finds out that a file is a mosaic stream.
gboolean register_type_find(GstPlugin* plugin);

}  // namespace mosaic_gst
