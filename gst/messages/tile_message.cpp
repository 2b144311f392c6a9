// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/messages/tile_message.h"

#include <gst/video/navigation.h>

#include "gst/messages/utf8.h"

namespace mosaic_gst {

GstMessage* make_tile_message(GstObject* source, GstEvent* event, const ShownMosaic& shown) {
  const GstNavigationEventType type = gst_navigation_event_get_type(event);
  if (type != GST_NAVIGATION_EVENT_MOUSE_BUTTON_PRESS && type != GST_NAVIGATION_EVENT_TOUCH_DOWN)
    return nullptr;
  gdouble x = 0, y = 0;
  if (!gst_navigation_event_get_coordinates(event, &x, &y)) return nullptr;
  const auto place = shown.at(x, y);
  if (!place) return nullptr;
  return gst_message_new_element(
      source,
      gst_structure_new("mosaictemporal-tile", "x", G_TYPE_DOUBLE, x, "y", G_TYPE_DOUBLE, y,
                        "column", G_TYPE_UINT, place->column, "row", G_TYPE_UINT, place->row,
                        "tile", G_TYPE_UINT, place->tile, "photo", G_TYPE_STRING,
                        to_utf8(shown.pool->name(place->photo)).c_str(), nullptr));
}

}  // namespace mosaic_gst
