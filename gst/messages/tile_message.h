// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include "gst/messages/shown_mosaic.h"

namespace mosaic_gst {

/// The element message `mosaictemporal-tile` for a click or touch on the mosaic.
/// @param event a navigation event, in pixels of the output
/// @return null unless a mouse button or finger goes down within the mosaic
GstMessage* make_tile_message(GstObject* source, GstEvent* event, const ShownMosaic& shown);

}  // namespace mosaic_gst
