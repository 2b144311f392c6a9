// SPDX-License-Identifier: LGPL-2.1-or-later
/**
 * SECTION:element-mosaictemporal
 * @title: mosaictemporal
 * @short_description: turns video into a photomosaic
 *
 * Redraws every frame as a mosaic of small photos, chosen so that together they show the frame. A
 * tile stays in its cell from frame to frame as long as the picture there does not change.
 *
 * The photos come from #GstMosaicTemporal:tile-location; if it is not set, the element uses
 * built-in pictures. Preparing the photos takes a moment. `GST_MESSAGE_PROGRESS` messages with the
 * code `mosaictemporal-pool` report the progress on the bus. The first frame waits until the photos
 * are ready; a live pipeline passes frames through unchanged until then. Prepared photos are
 * cached.
 *
 * Frames are drawn in place: frames in system memory on the CPU, frames in CUDA memory on the GPU,
 * which they never leave. Both give the same picture, byte for byte. #GstMosaicTemporal:device can
 * choose the other device, at the cost of copying each frame there and back. A buffer that others
 * also use is not changed; the mosaic is then drawn to another buffer. Downstream may ask for
 * another width and height; the mosaic is then drawn at that size, so a larger one shows more
 * detail in the tiles. Pixel aspect ratio, alpha and colorimetry stay those of the input. If pixels
 * are not square, cells and photos are square on the display. Only progressive video is accepted.
 *
 * The GPU is the one that the pipeline uses, or #GstMosaicTemporal:cuda-device-id.
 * #GstMosaicTemporal:active-codec names the decoder upstream, and with
 * #GstMosaicTemporal:require-hardware set it is an error if that does not decode in hardware into
 * CUDA memory. A failure of the GPU is an error too; set the element to `NULL` to start again.
 *
 * #GstMosaicTemporal:profile-name chooses a look; presets (#GstPreset) of the same names do so too.
 * #GstMosaicTemporal:config-location reads a configuration of mosaic-temporal-gpu.
 *
 * With #GstMosaicTemporal:lookahead each frame is held back until that many later frames have
 * arrived. A tile then changes only where the change pays over all of these frames: fewer tiles
 * change, and they fit better. The latency is reported. Held frames are sent before new caps or a
 * new segment, at a discontinuity and at the end of the stream; a flush drops them. The caps of a
 * live source need a frame rate.
 *
 * With #GstMosaicTemporal:silent set to %FALSE the element posts an element message
 * `mosaictemporal-stats` for each frame: `frame` (uint64), `pts` (clock time), `cells`, `tiles`,
 * `changed`, `unexplained`, `repainted`, `region-cells` (uint), `keyframe` (boolean), `cost`,
 * `gap`, `extra` (double), `ms` and the milliseconds of each stage: `unpack`, `scene`, `analysis`,
 * `candidates`, `assignment`, `drawing`, `finishing`, `pack` (double).
 *
 * Every frame that shows a mosaic carries a custom meta `GstMosaicTemporalMeta`: the positions of
 * its cells, the tile and photo in each, and the age of each tile in frames. docs/meta.md describes
 * the fields.
 * #GstMosaicTemporal:photos names the photos.
 *
 * Regions of interest that a detector upstream has attached to frames
 * (#GstVideoRegionOfInterestMeta), for example faces found by facedetect, are drawn closer to the
 * source: their cells get the tiles that suit them best, and a stronger correction of colours if
 * #GstMosaicTemporal:fidelity is not 0. At most 64 regions of a frame are used. `region-cells` in
 * the statistics is the number of cells in them, and #GstMosaicTemporal:overlay=saliency shows
 * them.
 *
 * When a navigation event says that a mouse button or finger went down on the picture, the element
 * posts a message `mosaictemporal-tile`: `x`, `y` (double), `column`, `row`, `tile` (uint) and
 * `photo` (string), a name as in #GstMosaicTemporal:photos.
 *
 * ## Example launch lines
 * |[
 * gst-launch-1.0 videotestsrc ! mosaictemporal ! videoconvert ! autovideosink
 * ]| Shows a test picture as a mosaic of the built-in pictures.
 * |[
 * gst-launch-1.0 filesrc location=in.mp4 ! decodebin ! videoconvert ! mosaictemporal
 * tile-location=photos tile-size=40 ! videoconvert ! x264enc ! mp4mux ! filesink location=out.mp4
 * ]| Converts a file, with the photos of a folder, in cells of 40 x 40 pixels.
 * |[
 * gst-launch-1.0 -m v4l2src ! videoconvert ! mosaictemporal tile-location=holiday.mkv silent=false
 * ! video/x-raw,width=1920,height=1080 ! videoconvert ! autovideosink
 * ]| Shows a camera's picture made of the frames of a video, drawn at 1920x1080, and posts a
 * message for each frame.
 * |[
 * gst-launch-1.0 filesrc location=in.mp4 ! qtdemux ! h264parse ! nvh264dec ! mosaictemporal
 * tile-location=photos require-hardware=true ! nvh264enc ! h264parse ! mp4mux ! filesink
 * location=out.mp4
 * ]| Converts a file; decoded frames never leave the GPU.
 */
#pragma once

#include <gst/base/gstbasetransform.h>

G_BEGIN_DECLS

#define GST_TYPE_MOSAIC_TEMPORAL (gst_mosaic_temporal_get_type())
G_DECLARE_FINAL_TYPE(GstMosaicTemporal, gst_mosaic_temporal, GST, MOSAIC_TEMPORAL, GstBaseTransform)

GST_ELEMENT_REGISTER_DECLARE(mosaictemporal);

G_END_DECLS
