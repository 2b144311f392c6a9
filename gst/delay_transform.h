// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The base of transforms that hold a frame back until others have come behind it, which it may
/// look at. Latency is reported; serialised events that only speak of the frames around them keep
/// their place, all others, and a discontinuity, first send on what is held back; a flush drops it.
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

  /// How many frames are held back from now on. From any thread.
  guint (*delay)(GstMosaicDelayTransform* self);

  /// A frame has arrived.
  /// @param frame may be replaced by another to hold back in its place
  /// @param note  receives what is to be known when it goes out
  GstFlowReturn (*arrive)(GstMosaicDelayTransform* self, GstBuffer** frame,
                          std::shared_ptr<const void>* note);

  /// What GstBaseTransformClass::generate_output is elsewhere: of one frame, when it goes out.
  GstFlowReturn (*generate)(GstMosaicDelayTransform* self, GstBuffer** output);
};

G_END_DECLS

namespace mosaic_gst {

/// A frame that is held back, and what was noted when it arrived.
struct HeldFrame {
  GstBuffer* buffer;
  std::shared_ptr<const void> note;
};

/// Of the frame that goes out, for who draws on it: its note, and the frames behind it, oldest
/// first.
const void* note_of(GstMosaicDelayTransform* self);
const std::deque<HeldFrame>& frames_behind(GstMosaicDelayTransform* self);

/// How many frames are held back from now on.
guint delay_of(gpointer self);

/// Sends on all that is held back: nothing that comes belongs to it. Where that fails, the next
/// frame is refused with the same flow. Streaming thread.
void drain(GstMosaicDelayTransform* self);

}  // namespace mosaic_gst
