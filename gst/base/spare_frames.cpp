// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/base/spare_frames.h"

#include "gst/base/frame_allocation.h"

namespace mosaic_gst {

GstFlowReturn take_from_pool(GstBaseTransform* trans, GstBufferPool* pool, GstBuffer* input,
                             GstBuffer** output) {
  if (!gst_buffer_pool_set_active(pool, TRUE)) {
    GST_ELEMENT_ERROR(
        trans, RESOURCE, FAILED,
        ("Not enough memory for output frames (use smaller frames, or let the elements "
         "after this one hold fewer)"),
        ("cannot activate the buffer pool %" GST_PTR_FORMAT "", pool));
    return GST_FLOW_ERROR;
  }
  const GstFlowReturn flow = gst_buffer_pool_acquire_buffer(pool, output, nullptr);
  if (flow == GST_FLOW_ERROR)
    GST_ELEMENT_ERROR(trans, RESOURCE, FAILED,
                      ("Not enough memory for another output frame (use smaller frames, or let the "
                       "elements after this one hold fewer)"),
                      ("cannot acquire a buffer from the pool %" GST_PTR_FORMAT "", pool));
  if (flow == GST_FLOW_OK)
    GST_BASE_TRANSFORM_GET_CLASS(trans)->copy_metadata(trans, input, *output);
  return flow;
}

GstFlowReturn SpareFrames::take(GstBaseTransform* trans, Gpu& gpu, GstBuffer* input,
                                GstBuffer** output) {
  if (!pool_) {
    GstCaps* caps = gst_pad_get_current_caps(trans->sinkpad);
    if (!caps) return GST_FLOW_FLUSHING;
    guint size = 0;
    pool_ = make_frame_pool(gpu, caps, input, &size);
    gst_caps_unref(caps);
    if (!pool_) return GST_FLOW_NOT_NEGOTIATED;
  }
  return take_from_pool(trans, pool_, input, output);
}

void SpareFrames::drop() {
  if (!pool_) return;
  gst_buffer_pool_set_active(pool_, FALSE);
  gst_clear_object(&pool_);
}

}  // namespace mosaic_gst
