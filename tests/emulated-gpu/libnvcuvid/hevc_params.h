// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

// These parsers of GStreamer have no stable interface, which their header wants to be told.
#define GST_USE_UNSTABLE_API
#include <ffnvcodec/dynlink_cuda.h>
#include <gst/codecparsers/gsth265parser.h>
// After the types that it needs.
#include <ffnvcodec/dynlink_nvcuvid.h>

namespace emulated_nvdec {

/// Writes what a picture's parameters say of its parameter sets.
void describe(const GstH265PPS& pps, CUVIDHEVCPICPARAMS* hevc);

}  // namespace emulated_nvdec
