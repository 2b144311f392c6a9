// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gst/gst.h>

#include "gst/gpu.h"
#include "gst/mosaictemporal.h"

static gboolean plugin_init(GstPlugin* plugin) {
  mosaic_gst::Gpu::tell_status(plugin);
  return GST_ELEMENT_REGISTER(mosaictemporal, plugin);
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, mosaictemporal,
                  "Turns video into a photomosaic", plugin_init, PACKAGE_VERSION, "LGPL",
                  "mosaictemporal", "mosaictemporal")
