// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/spare_frames.h"

#include "gst/memory/frame_allocation.h"

namespace mosaic_gst {

GstFlowReturn take_from_pool(GstBaseTransform* trans, GstBufferPool* pool, GstBuffer* input,
                             Owned<GstBuffer>& output) {
  if (!gst_buffer_pool_set_active(pool, TRUE)) {
    GST_ELEMENT_ERROR(
        trans, RESOURCE, FAILED,
        ("Not enough memory for output frames (use smaller frames, or let the elements "
         "after this one hold fewer)"),
        ("cannot activate the buffer pool %" GST_PTR_FORMAT "", pool));
    return GST_FLOW_ERROR;
  }
  GstBuffer* buffer = nullptr;
  const GstFlowReturn flow = gst_buffer_pool_acquire_buffer(pool, &buffer, nullptr);
  if (flow == GST_FLOW_ERROR)
    GST_ELEMENT_ERROR(trans, RESOURCE, FAILED,
                      ("Not enough memory for another output frame (use smaller frames, or let the "
                       "elements after this one hold fewer)"),
                      ("cannot acquire a buffer from the pool %" GST_PTR_FORMAT "", pool));
  if (flow != GST_FLOW_OK) return flow;
  output.reset(buffer);
  GST_BASE_TRANSFORM_GET_CLASS(trans)->copy_metadata(trans, input, buffer);
  return GST_FLOW_OK;
}

GstFlowReturn SpareFrames::take(GstBaseTransform* trans, Gpu& gpu, GstBuffer* input,
                                Owned<GstBuffer>& output) {
  if (!pool_) {
    const Owned<GstCaps> caps(gst_pad_get_current_caps(GST_BASE_TRANSFORM_SINK_PAD(trans)));
    if (!caps) return GST_FLOW_FLUSHING;
    guint size = 0;
    pool_ = make_frame_pool(gpu, caps.get(), input, &size);
    if (!pool_) return GST_FLOW_NOT_NEGOTIATED;
  }
  return take_from_pool(trans, pool_.get(), input, output);
}

void SpareFrames::drop() {
  if (!pool_) return;
  gst_buffer_pool_set_active(pool_.get(), FALSE);
  pool_.reset();
}

}  // namespace mosaic_gst
