// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/memory/regions_of_interest.h"

#include <algorithm>
#include <cstdint>

#include "gst/memory/mapped_frame.h"

namespace mosaic_gst {
namespace {

// Detectors find few; a limit keeps the time per frame bounded whatever a buffer carries.
constexpr size_t kMaxRegions = 64;

/// The part of [begin, begin + size) that lies in 0..end.
struct Part {
  Part(int64_t begin, int64_t size, int64_t end)
      : start(static_cast<int>(std::clamp<int64_t>(begin, 0, end))),
        length(static_cast<int>(std::clamp<int64_t>(begin + size, 0, end)) - start) {}
  int start, length;
};

}  // namespace

void read_regions(const GstVideoInfo& info, GstBuffer* frame,
                  std::vector<mosaic::Region>& regions) {
  regions.clear();
  int64_t left = 0, top = 0;
  if (is_cropped(info, frame)) {
    const GstVideoCropMeta* crop = gst_buffer_get_video_crop_meta(frame);
    left = crop->x, top = crop->y;
  }
  gpointer state = nullptr;
  while (regions.size() < kMaxRegions) {
    const GstMeta* meta =
        gst_buffer_iterate_meta_filtered(frame, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
    if (!meta) return;
    const auto* region = reinterpret_cast<const GstVideoRegionOfInterestMeta*>(meta);
    const Part across(region->x - left, region->w, info.width);
    const Part down(region->y - top, region->h, info.height);
    if (across.length > 0 && down.length > 0)
      regions.push_back({across.start, down.start, across.length, down.length});
  }
}

}  // namespace mosaic_gst
