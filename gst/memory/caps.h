// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

namespace mosaic_gst {

/// The template caps of both pads: all formats and sizes, in system memory and, if the build has
/// CUDA, in CUDA memory.
GstCaps* make_template_caps();

/// The formats that have no alpha, first in system memory: not every machine has a GPU.
GstCaps* make_opaque_caps();

/// Whether frames of these fixed caps are in a GPU's memory (memory:CUDAMemory).
bool is_gpu_caps(const GstCaps* caps);

/// Whether the caps are, or may be, those of progressive video.
bool may_be_progressive(const GstCaps* caps);

/// The caps that the other pad can have when one pad has `caps`: the same except that width and
/// height are free, and progressive only.
/// @return owned by the caller
GstCaps* with_any_size(const GstCaps* caps);

/// Fixates `other` (consumed) to a size as near to that of `caps` as possible. If `other` fixes
/// only one side, the other side keeps the proportions.
/// @return fixed caps, owned by the caller
GstCaps* fixate_size(const GstCaps* caps, GstCaps* other);

}  // namespace mosaic_gst
