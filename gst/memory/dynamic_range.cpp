// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/dynamic_range.h"

#include <string>

#include "mosaic/base/error.h"

namespace mosaic_gst {

void check_dynamic_range(const GstVideoInfo& info) {
  const GstVideoTransferFunction transfer = GST_VIDEO_INFO_COLORIMETRY(&info).transfer;
  if (transfer != GST_VIDEO_TRANSFER_SMPTE2084 && transfer != GST_VIDEO_TRANSFER_ARIB_STD_B67)
    return;
  const std::string name = transfer == GST_VIDEO_TRANSFER_SMPTE2084 ? "PQ" : "HLG";
  throw mosaic::Error(
      mosaic::Error::Kind::kFormat,
      "The video has a high dynamic range (" + name + "), which would be shown with wrong colours",
      "convert it to SDR first, with vapostproc hdr-tone-mapping=true or with "
      "ffmpeg's filter tonemap");
}

}  // namespace mosaic_gst
