// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The base class of transforms that hold each frame back until a number of later frames have
/// arrived, so that they can look ahead. It reports the latency. Serialised events that concern
/// only the frames around them (tags, gaps) keep their place among the frames. Before any other
/// serialised event, and before a discontinuity, the held frames are sent. A flush drops them.
/// After an error they are dropped and frames refused, until a flush, the next start or
/// try_again().
#pragma once

#include <gst/base/gstbasetransform.h>

#include <deque>
#include <memory>

G_BEGIN_DECLS

#define GST_TYPE_MOSAIC_DELAY_TRANSFORM (gst_mosaic_delay_transform_get_type())
G_DECLARE_DERIVABLE_TYPE(GstMosaicDelayTransform, gst_mosaic_delay_transform, GST,
                         MOSAIC_DELAY_TRANSFORM, GstBaseTransform)

struct _GstMosaicDelayTransformClass {
  GstBaseTransformClass parent_class;

  /// How many frames are held back from now on. Called from any thread.
  guint (*delay)(GstMosaicDelayTransform* self);

  /// How long making an output may take in a live pipeline: adds to the latency. Called from any
  /// thread; null: 0.
  GstClockTime (*drawing_time)(GstMosaicDelayTransform* self);

  /// Called when a frame has arrived, before it is held back.
  /// @param frame may be replaced by another buffer, which is held back in its place
  /// @param data  receives what the subclass wants to keep with the frame, see frame_data()
  /// What it throws becomes an error message of the element, and GST_FLOW_ERROR.
  GstFlowReturn (*hold_frame)(GstMosaicDelayTransform* self, GstBuffer** frame,
                              std::shared_ptr<const void>* data);

  /// Makes the output of the oldest held frame. Subclasses override this instead of
  /// GstBaseTransformClass::generate_output, which this class overrides itself.
  GstFlowReturn (*generate)(GstMosaicDelayTransform* self, GstBuffer** output);
};

G_END_DECLS

namespace mosaic_gst {

/// A frame that is held back, and the data that hold_frame() attached to it.
struct HeldFrame {
  GstBuffer* buffer;
  std::shared_ptr<const void> data;
};

/// To be called while a frame's output is being made: the data that hold_frame() attached to the
/// frame, and the frames that arrived after it, oldest first.
const void* frame_data(GstMosaicDelayTransform* self);
const std::deque<HeldFrame>& later_frames(GstMosaicDelayTransform* self);

/// How many frames are held back from now on.
guint delay_of(gpointer self);

/// Sends all frames that are held back. If that fails, the next frame is refused with the same flow
/// return, because handling an event returns none. Streaming thread only.
void drain(GstMosaicDelayTransform* self);

/// To be called when the cause of an error may be gone: the next frame is not refused. Any thread.
void try_again(GstMosaicDelayTransform* self);

}  // namespace mosaic_gst
