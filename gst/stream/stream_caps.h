// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/video/video.h>

#include "gst/pointers.h"

namespace mosaic_gst {

/// The media type of a mosaic as a stream of indices (docs/mosaic-format.md), and its caps as
/// mosaictemporal and mosaicparse make them: each buffer is one packet.
inline constexpr char kStreamType[] = "application/x-mosaic";
inline constexpr char kStreamCaps[] = "application/x-mosaic, parsed = (boolean) true";

/// Whether the first structure of caps is such a stream.
bool is_stream_caps(const GstCaps* caps);

/// Appends to `caps` the streams that video of certain caps can become: of its size, shape of
/// pixels and frame rate.
/// @return `caps`
GstCaps* append_streams_of(GstCaps* caps, const GstCaps* video);

/// The video that streams of certain caps can be made of: of their frame rate, in all formats of
/// `video`.
/// @return empty if none of `caps` is such a stream
Owned<GstCaps> video_of_streams(const GstCaps* caps, const GstCaps* video);

}  // namespace mosaic_gst
