// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-mosaicparse
 * @title: mosaicparse
 * @short_description: divides a mosaic stream into packets
 *
 * Finds the packets in a mosaic stream (`application/x-mosaic`, files named `.mosaic`), checks
 * them, and tells their times and which of them are keyframes. What is damaged is left out. A file
 * that mosaictemporal has completed ends with an index of its keyframes, which makes seeks fast.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=film.mosaic ! mosaicparse ! mosaicrender
 * pack-location=photos.mospack ! videoconvert ! autovideosink
 * ]| Plays a mosaic with the photos of a pack.
 */
#pragma once

#include <gst/base/gstbaseparse.h>

G_BEGIN_DECLS

#define GST_TYPE_MOSAIC_PARSE (gst_mosaic_parse_get_type())
G_DECLARE_FINAL_TYPE(GstMosaicParse, gst_mosaic_parse, GST, MOSAIC_PARSE, GstBaseParse)

GST_ELEMENT_REGISTER_DECLARE(mosaicparse);

G_END_DECLS
