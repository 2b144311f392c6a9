// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gst/gst.h>

#include "gst/element/mosaictemporal.h"
#include "gst/memory/gpu.h"
#include "gst/messages/log.h"
#include "gst/stream/mosaic_parse.h"
#include "gst/stream/mosaic_render.h"
#include "gst/stream/type_find.h"

static gboolean plugin_init(GstPlugin* plugin) {
  mosaic_gst::log_category(mosaic_gst::LogPart::kElement);  // registers all of them
  mosaic_gst::Gpu::warn_without_driver(plugin);
  return GST_ELEMENT_REGISTER(mosaictemporal, plugin) &&
         GST_ELEMENT_REGISTER(mosaicparse, plugin) && GST_ELEMENT_REGISTER(mosaicrender, plugin) &&
         mosaic_gst::register_type_find(plugin);
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, mosaictemporal,
                  "Turns video into a photomosaic", plugin_init, PACKAGE_VERSION, "LGPL", PACKAGE,
                  GST_PACKAGE_ORIGIN)
