// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The base class of elements that draw on video frames in system memory or in a GPU's memory. It
/// does what GstVideoFilter does for system memory and, for CUDA memory, what the private base
/// class of GStreamer's CUDA elements does. The output is in the same kind of memory as the input.
#pragma once

#include <gst/video/video.h>

#include "gst/base/delay_transform.h"
#include "gst/memory/gpu.h"

G_BEGIN_DECLS

#define GST_TYPE_MOSAIC_FRAME_TRANSFORM (gst_mosaic_frame_transform_get_type())
G_DECLARE_DERIVABLE_TYPE(GstMosaicFrameTransform, gst_mosaic_frame_transform, GST,
                         MOSAIC_FRAME_TRANSFORM, GstMosaicDelayTransform)

/// What draw() returns to have the input sent unchanged. Input and output must have the same size,
/// and the input must not be cropped, see is_cropped().
#define GST_MOSAIC_FRAME_TRANSFORM_FLOW_PASS GST_FLOW_CUSTOM_SUCCESS_2

struct _GstMosaicFrameTransformClass {
  GstMosaicDelayTransformClass parent_class;

  // What these throw becomes an error message of the element, and GST_FLOW_ERROR.

  /// Caps have been negotiated. Frames are drawn in place if both sizes are the same.
  /// @param on_gpu whether frames are in a GPU's memory
  gboolean (*set_info)(GstMosaicFrameTransform* self, const GstVideoInfo* in,
                       const GstVideoInfo* out, gboolean on_gpu);

  /// A frame has arrived.
  /// @param data receives what draw() needs to know of the frame, see frame_data()
  GstFlowReturn (*frame_arrived)(GstMosaicFrameTransform* self, GstBuffer* frame,
                                 std::shared_ptr<const void>* data);

  /// Draws `in` to `out`, which may be the same buffer; neither is mapped.
  GstFlowReturn (*draw)(GstMosaicFrameTransform* self, GstBuffer* in, GstBuffer* out);

  /// Frames are now in another CUDA context: executors in the old one can no longer be used.
  void (*context_changed)(GstMosaicFrameTransform* self);
};

G_END_DECLS

namespace mosaic_gst {

/// The GPU as the element uses it. Streaming thread only.
Gpu& gpu_of(GstMosaicFrameTransform* self);

/// To be called in a catch block while caps are set: the next frame posts the current exception as
/// an error. Refusing the caps would not end the stream, because upstream would send them again.
void fail_next_frame(GstMosaicFrameTransform* self);

/// The value of the property cuda-device-id.
int device_id_of(GstMosaicFrameTransform* self);

}  // namespace mosaic_gst
