// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include "gst/frame_transform.h"

G_BEGIN_DECLS

#define GST_TYPE_MOSAIC_TEMPORAL (gst_mosaic_temporal_get_type())
G_DECLARE_FINAL_TYPE(GstMosaicTemporal, gst_mosaic_temporal, GST, MOSAIC_TEMPORAL,
                     GstMosaicFrameTransform)

GST_ELEMENT_REGISTER_DECLARE(mosaictemporal);

G_END_DECLS
