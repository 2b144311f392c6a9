// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-mosaictemporal
 * @title: mosaictemporal
 * @short_description: turns video into a photomosaic
 *
 * Redraws every frame as a mosaic of small photos, chosen so that together they show the frame. A
 * tile stays where it is from frame to frame as long as the picture there does.
 *
 * The photos come from #GstMosaicTemporal:tile-location; without one the element uses pictures of
 * its own. Preparing them takes a moment, which the bus hears about in `GST_MESSAGE_PROGRESS`
 * messages with the code `mosaictemporal-pool`: the first frame waits for it, unless the pipeline
 * is live, which passes frames through unchanged until then. Prepared photos are kept in a cache.
 *
 * Frames are drawn in place, in system memory on the processor and in CUDA memory on the GPU, which
 * they never leave. The picture is the same to the byte; #GstMosaicTemporal:device has it made on
 * the other one, for a trip of each frame there and back. What others hold is left alone: such a
 * frame is drawn on another buffer. Downstream may ask for another width and height; the mosaic is
 * then drawn at that size, so that the tiles show more detail. The pixel aspect ratio stays that of
 * the input, and so do alpha and colorimetry. Only progressive video is taken.
 *
 * The GPU is the one that the pipeline works on, or #GstMosaicTemporal:cuda-device-id.
 * #GstMosaicTemporal:active-codec names the decoder upstream, and with
 * #GstMosaicTemporal:require-hardware set it is an error if that does not decode in hardware into
 * CUDA memory. A GPU that fails is an error, too: the element starts anew from `NULL`.
 *
 * #GstMosaicTemporal:profile-name chooses a look, and so do presets (#GstPreset) of the same names.
 * #GstMosaicTemporal:config-location reads a configuration of mosaic-temporal-gpu.
 *
 * With #GstMosaicTemporal:lookahead each frame waits until so many have come behind it, and tiles
 * change only where that pays over all of them: fewer change, and they fit better. The latency is
 * reported. What is held back goes out before other caps or segments, at a discontinuity and at the
 * end; a flush drops it. A live source has to tell its frame rate.
 *
 * With #GstMosaicTemporal:silent set to %FALSE the element posts an element message
 * `mosaictemporal-stats` for each frame: `frame` (uint64), `pts` (clock time), `cells`, `tiles`,
 * `changed`, `unexplained`, `repainted` (uint), `keyframe` (boolean), `cost`, `gap`, `extra`
 * (double), `ms` and the milliseconds of each stage: `unpack`, `scene`, `analysis`, `candidates`,
 * `assignment`, `drawing`, `finishing`, `pack` (double).
 *
 * Every frame that shows a mosaic carries a custom meta `GstMosaicTemporalMeta` that says where its
 * cells lie and which tile and photo stands in each, and for how long: docs/meta.md has its fields.
 * #GstMosaicTemporal:photos names the photos.
 *
 * A mouse button or finger that goes down on the picture and arrives as a navigation event has the
 * element post a message `mosaictemporal-tile`: `x`, `y` (double), `column`, `row`, `tile` (uint)
 * and `photo` (string), a path as in #GstMosaicTemporal:photos.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 videotestsrc ! mosaictemporal ! videoconvert ! autovideosink
 * ]| A test picture made of the built-in tiles.
 * |[
 * gst-launch-1.0 filesrc location=in.mp4 ! decodebin ! videoconvert ! mosaictemporal
 * tile-location=photos tile-size=40 ! videoconvert ! x264enc ! mp4mux ! filesink location=out.mp4
 * ]| A file made of the photos of a folder, in cells of 40 x 40 pixels.
 * |[
 * gst-launch-1.0 -m v4l2src ! videoconvert ! mosaictemporal tile-location=holiday.mkv silent=false
 * ! video/x-raw,width=1920,height=1080 ! videoconvert ! autovideosink
 * ]| A camera made of the frames of a video, drawn at 1920x1080, with a message for each frame.
 * |[
 * gst-launch-1.0 filesrc location=in.mp4 ! qtdemux ! h264parse ! nvh264dec ! mosaictemporal
 * tile-location=photos require-hardware=true ! nvh264enc ! h264parse ! mp4mux ! filesink
 * location=out.mp4
 * ]| From file to file without a frame leaving the GPU.
 */
#pragma once

#include <gst/gst.h>

#include "gst/frame_transform.h"

G_BEGIN_DECLS

#define GST_TYPE_MOSAIC_TEMPORAL (gst_mosaic_temporal_get_type())
G_DECLARE_FINAL_TYPE(GstMosaicTemporal, gst_mosaic_temporal, GST, MOSAIC_TEMPORAL,
                     GstMosaicFrameTransform)

GST_ELEMENT_REGISTER_DECLARE(mosaictemporal);

G_END_DECLS
