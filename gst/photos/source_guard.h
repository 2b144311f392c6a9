// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>

namespace mosaic_gst {

/// Lets a uridecodebin read nothing but the URI that the user wrote, whatever the content names:
/// playlists (HLS, DASH), session descriptions, edit decision lists. Only a URI of http or https
/// may lead further, and only to http and https. What is refused becomes an error on the bus,
/// before it is opened. To be called before the bin leaves the state NULL.
///
/// One exception: GStreamer's old HLS demuxer fetches the playlists of variants outside of the
/// pipeline, so that a stream from http can make it read a playlist from file://. URIs that such a
/// playlist names are refused as usual.
void guard_sources(GstElement* uri_decode_bin, const std::string& uri);

}  // namespace mosaic_gst
