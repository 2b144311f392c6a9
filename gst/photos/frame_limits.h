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

/// Makes every decoder in `bin` refuse frames that exceed the limits. Otherwise a file of a few
/// bytes could ask for a frame of any size, and GLib ends the process when memory runs out. A frame
/// is refused before memory is allocated for it; the decoder then posts an error. To be called
/// before elements are added to the bin.
void limit_frames(GstBin* bin);

}  // namespace mosaic_gst
