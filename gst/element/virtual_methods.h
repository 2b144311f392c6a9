// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The element's implementations of GstBaseTransform's virtual methods, by what they are about.
/// GStreamer's documentation says when each is called, and from which thread.
#pragma once

#include <gst/base/gstbasetransform.h>

namespace mosaic_gst {

/// Formats: which caps fit together, what follows from those that were chosen, and who allocates
/// frames. The output is in the same kind of memory as the input.
void install_negotiation(GstBaseTransformClass* klass);

/// Frames: they wait for the lookahead, and are drawn.
void install_frames(GstBaseTransformClass* klass);

/// Sends all frames that are held back. If that fails, later frames are refused with the same flow
/// return, because handling an event returns none. Streaming thread only.
void drain(GstBaseTransform* trans);

/// Events and queries. Serialised events that concern only the frames around them (tags, gaps) keep
/// their place among the frames that are held back. Before any other serialised event these frames
/// are sent, as before a discontinuity. A flush drops them.
void install_events(GstBaseTransformClass* klass);

}  // namespace mosaic_gst
