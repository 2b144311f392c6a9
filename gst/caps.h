// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

namespace mosaic_gst {

/// What both pads take: every format and size, progressive or unsaid; in a GPU's memory too where
/// the build can use one.
GstCaps* make_template_caps();

/// Whether frames of these fixed caps lie in a GPU's memory (memory:CUDAMemory).
bool is_gpu_caps(const GstCaps* caps);

/// Whether the caps are, or may be, those of progressive video.
bool may_be_progressive(const GstCaps* caps);

/// What the other pad can have when this one has `caps`: any size, all else alike, progressive
/// only.
/// @return owned by the caller
GstCaps* with_any_size(const GstCaps* caps);

/// Fixes the size in `other` (consumed) as near to that in `caps` as it goes; where one side is
/// given, the other follows in proportion.
/// @return fixed caps, owned by the caller
GstCaps* fixate_size(const GstCaps* caps, GstCaps* other);

}  // namespace mosaic_gst
