// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <string>

namespace mosaic_gst {

/// The most pixels that a side of a video's frame may have, as in most video formats. A frame also
/// has at most mosaic::kMaxPhotoPixels.
inline constexpr int64_t kMaxFrameSide = 16384;

/// Why frames of this size are refused; empty: they are not.
std::string why_refused(int64_t width, int64_t height);

/// Lets no decoder in `bin` decode frames that are refused, as a file of a few bytes can ask for
/// any size, and GLib ends the process if an allocation fails: the decoder posts an error, and the
/// allocation of its frames fails. To be called before elements are added to the bin.
void limit_frames(GstBin* bin);

}  // namespace mosaic_gst
