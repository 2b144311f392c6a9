// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-mosaicrender
 * @title: mosaicrender
 * @short_description: draws a mosaic from a stream of indices
 *
 * Draws what mosaictemporal sends as `application/x-mosaic`, with the photos of the pack that
 * #GstMosaicRender:pack-location names. It must be a copy of the pack with which the mosaic was
 * made; another one is an error that names the hashes of both.
 *
 * The picture has the size that downstream asks for, or else that of the video of which the mosaic
 * was made. Each cell is drawn from the photo's level that suits its size, so a larger picture
 * shows more of the photos. #GstMosaicRender:crop-x, #GstMosaicRender:crop-y,
 * #GstMosaicRender:crop-width and #GstMosaicRender:crop-height choose the part that is shown, and
 * may be animated. A part is byte for byte that part of the whole picture, if the whole is drawn in
 * the same scale.
 *
 * Pictures are in system memory unless downstream wants them in CUDA memory, as a caps filter
 * `video/x-raw(memory:CUDAMemory)` before nvh264enc does. Both are the same, byte for byte.
 *
 * Looks without colour transfer (`plain`, also with `fidelity`) are drawn byte for byte as
 * mosaictemporal draws them at the same size; of other looks the stream says only what one can see.
 * If a packet was lost, the last picture stays until a keyframe.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 filesrc location=film.mosaic ! mosaicparse ! mosaicrender
 * pack-location=photos.mospack ! video/x-raw,width=3840,height=2160 ! videoconvert ! autovideosink
 * ]| Plays a mosaic at 3840x2160.
 * |[
 * gst-launch-1.0 filesrc location=film.mosaic ! mosaicparse ! mosaicrender
 * pack-location=photos.mospack crop-x=0.25 crop-y=0.25 crop-width=0.5 crop-height=0.5
 * ! videoconvert ! autovideosink
 * ]| Shows the middle of it, twice as large.
 */
#pragma once

#include <gst/video/gstvideodecoder.h>

G_BEGIN_DECLS

#define GST_TYPE_MOSAIC_RENDER (gst_mosaic_render_get_type())
G_DECLARE_FINAL_TYPE(GstMosaicRender, gst_mosaic_render, GST, MOSAIC_RENDER, GstVideoDecoder)

GST_ELEMENT_REGISTER_DECLARE(mosaicrender);

G_END_DECLS
