// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The base of elements that draw on video frames, in system memory or in that of a GPU: what
/// GstVideoFilter does for one and GStreamer's CUDA elements, whose base is private, for the other.
/// A frame stays in its kind of memory from pad to pad.
#pragma once

#include <gst/video/video.h>

#include "gst/delay_transform.h"
#include "gst/gpu.h"

G_BEGIN_DECLS

#define GST_TYPE_MOSAIC_FRAME_TRANSFORM (gst_mosaic_frame_transform_get_type())
G_DECLARE_DERIVABLE_TYPE(GstMosaicFrameTransform, gst_mosaic_frame_transform, GST,
                         MOSAIC_FRAME_TRANSFORM, GstMosaicDelayTransform)

/// What draw() returns when the frame that came in shall go out as it is. Sizes must be the same.
#define GST_MOSAIC_FRAME_TRANSFORM_FLOW_PASS GST_FLOW_CUSTOM_SUCCESS_2

struct _GstMosaicFrameTransformClass {
  GstMosaicDelayTransformClass parent_class;

  /// What is negotiated. Frames are drawn on in place where both sizes are the same.
  /// @param on_gpu whether they lie in a GPU's memory
  gboolean (*set_info)(GstMosaicFrameTransform* self, const GstVideoInfo* in,
                       const GstVideoInfo* out, gboolean on_gpu);

  /// A frame has arrived. @param note receives what draw() is to know of it, see note_of()
  GstFlowReturn (*note)(GstMosaicFrameTransform* self, GstBuffer* frame,
                        std::shared_ptr<const void>* note);

  /// Draws `in` on `out`, which may be the same; neither is mapped.
  GstFlowReturn (*draw)(GstMosaicFrameTransform* self, GstBuffer* in, GstBuffer* out);

  /// Frames come from another context now: executors of the one before are of no use any more.
  void (*context_changed)(GstMosaicFrameTransform* self);
};

G_END_DECLS

namespace mosaic_gst {

/// The element's share of a GPU. Streaming thread only.
Gpu& gpu_of(GstMosaicFrameTransform* self);

/// Call in a catch block while caps are set: the next frame posts the exception in flight as an
/// error. Caps that are refused are sent again and again.
void fail_next_frame(GstMosaicFrameTransform* self);

/// The property cuda-device-id.
int device_id_of(GstMosaicFrameTransform* self);

}  // namespace mosaic_gst
