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

/// Sets a pipeline to NULL, and then whatever in it has not followed: on a loaded machine, a
/// capsfilter that parsebin had added was still PAUSED when it was disposed of.
void stop(GstElement* pipeline);

}  // namespace mosaic_program
