// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include "gst/shown_mosaic.h"

namespace mosaic_gst {

/// The element message `mosaictemporal-tile` that answers a click on the mosaic shown.
/// @param event a navigation event, in pixels of the output
/// @return null where it is no mouse button or finger going down on a tile
GstMessage* make_tile_message(GstObject* source, GstEvent* event, const ShownMosaic& shown);

}  // namespace mosaic_gst
