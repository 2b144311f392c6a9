// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Connects LivePace with the pipeline: its clock, its latency and the reports of its sinks.
#pragma once

#include <gst/base/gstbasetransform.h>

#include "gst/element/element_state.h"

namespace mosaic_gst {

/// Takes notice of an event from downstream. Called from any thread.
/// @return whether the base class must not see it, because the element itself skips late frames;
///         it is to be sent upstream
bool notice_event(GstBaseTransform* trans, ElementState& state, GstEvent* event);

/// Whether a frame is to be drawn. Counts those that are not, and posts a QoS message for each that
/// is dropped. Streaming thread only.
LivePace::Decision decide(GstBaseTransform* trans, ElementState& state, GstBuffer* frame);

/// A frame has been drawn. Announces a change of the latency. Streaming thread only.
void note_drawn(GstBaseTransform* trans, ElementState& state, GstClockTime took);

}  // namespace mosaic_gst
