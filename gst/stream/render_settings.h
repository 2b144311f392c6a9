// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>

namespace mosaic_gst {

/// The properties of mosaicrender.
struct RenderSettings {
  std::string pack_location;
  double crop_x = 0, crop_y = 0, crop_width = 1, crop_height = 1;
  guint n_threads = 0;
};

void install_render_properties(GObjectClass* klass);

/// Each returns false if there is no property with that number.
bool set_render_property(RenderSettings& settings, guint id, const GValue* value);
bool get_render_property(const RenderSettings& settings, guint id, GValue* value);

}  // namespace mosaic_gst
