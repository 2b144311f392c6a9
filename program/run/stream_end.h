// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include "gst/pointers.h"

namespace mosaic_program {

/// Has all sources of a pipeline end, but the one of subtitles (kSubtitleSource).
void end_sources(GstElement* pipeline);

/// Sends the end of a stream to a pad, from another thread: a streaming thread may hold the pad's
/// lock.
void end_at(mosaic_gst::Owned<GstPad> pad);

/// Sends the end of the stream to each pad of a muxer but the video's. @param muxer may be null
void end_beside_video(GstElement* muxer);

}  // namespace mosaic_program
