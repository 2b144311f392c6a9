// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>

namespace mosaic_gst {

/// Lets a uridecodebin read nothing but the URI that the user wrote, whatever the content names:
/// playlists (HLS, DASH), session descriptions, edit lists. Only a URI of http or https may lead
/// further, and only to http and https. What is refused becomes an error on the bus, before it is
/// opened. To be called before the bin leaves the state NULL.
///
/// Out of reach is the playlist of a variant of an HLS stream from http: GStreamer's demuxer
/// fetches it outside of the pipeline, and so also reads it from file://. What that names is
/// refused again.
void guard_sources(GstElement* uri_decode_bin, const std::string& uri);

}  // namespace mosaic_gst
