// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/photos/frame_reducer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gst/photos/frame_limits.h"
#include "gst/photos/video_error.h"
#include "mosaic/photos/photo_cut.h"

namespace mosaic_gst {
namespace {

/// A frame, mapped until the end of the scope.
class MappedFrame {
 public:
  MappedFrame(const GstVideoInfo& info, GstBuffer* buffer, GstMapFlags flags)
      : mapped_(buffer && gst_video_frame_map(&frame_, &info, buffer, flags)) {}
  ~MappedFrame() {
    if (mapped_) gst_video_frame_unmap(&frame_);
  }
  MappedFrame(const MappedFrame&) = delete;
  MappedFrame& operator=(const MappedFrame&) = delete;
  explicit operator bool() const { return mapped_; }
  GstVideoFrame* get() { return &frame_; }

 private:
  GstVideoFrame frame_{};
  bool mapped_;
};

}  // namespace

void FrameReducer::fail(const std::string& why) const {
  throw video_error(label_, why);
}

void FrameReducer::configure(const GstVideoInfo& info) {
  converter_.reset();
  in_ = info;
  if (const auto why = why_refused(GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info));
      !why.empty())
    fail(why);
  const double width = GST_VIDEO_INFO_WIDTH(&info) *
                       static_cast<double>(GST_VIDEO_INFO_PAR_N(&info)) /
                       GST_VIDEO_INFO_PAR_D(&info);
  const double height = GST_VIDEO_INFO_HEIGHT(&info);
  if (!(width > 0 && height > 0)) fail("its frames have no pixels");
  const double scale = std::min(1.0, short_side_ / std::min(width, height));
  const auto pixels = [scale](double side) {
    return std::max<int64_t>(1, std::llround(side * scale));
  };
  if (const auto why = why_refused(pixels(width), pixels(height)); !why.empty())
    fail("with its pixel aspect ratio of " + std::to_string(GST_VIDEO_INFO_PAR_N(&info)) + "/" +
         std::to_string(GST_VIDEO_INFO_PAR_D(&info)) + ", " + why);
  const bool known = gst_video_info_set_interlaced_format(
      &out_, GST_VIDEO_FORMAT_RGB, GST_VIDEO_INFO_INTERLACE_MODE(&in_),
      static_cast<guint>(pixels(width)), static_cast<guint>(pixels(height)));
  // The converter requires that both have the same frame rate, and are interlaced alike.
  GST_VIDEO_INFO_FPS_N(&out_) = GST_VIDEO_INFO_FPS_N(&in_);
  GST_VIDEO_INFO_FPS_D(&out_) = GST_VIDEO_INFO_FPS_D(&in_);
  if (known) converter_.reset(gst_video_converter_new(&in_, &out_, nullptr));
  if (!converter_) fail("its frames cannot be converted to RGB");
  reduced_.resize(GST_VIDEO_INFO_SIZE(&out_));
}

mosaic::Photo FrameReducer::reduce(GstSample* sample) {
  GstVideoInfo info;
  const GstCaps* caps = gst_sample_get_caps(sample);
  if (!caps || !gst_video_info_from_caps(&info, caps)) fail("its frames cannot be converted");
  if (!converter_ || !gst_video_info_is_equal(&info, &in_)) configure(info);
  const Owned<GstBuffer> buffer(gst_buffer_new_wrapped_full(static_cast<GstMemoryFlags>(0),
                                                            reduced_.data(), reduced_.size(), 0,
                                                            reduced_.size(), nullptr, nullptr));
  MappedFrame from(in_, gst_sample_get_buffer(sample), GST_MAP_READ);
  MappedFrame to(out_, buffer.get(), GST_MAP_READWRITE);
  if (!from || !to) fail("the memory of a frame cannot be read");
  gst_video_converter_frame(converter_.get(), from.get(), to.get());
  return middle();
}

mosaic::Photo FrameReducer::middle() const {
  const mosaic::Photo whole{GST_VIDEO_INFO_WIDTH(&out_), GST_VIDEO_INFO_HEIGHT(&out_), {}};
  const mt::CellRect part = shown_part(whole, {.shape = shape_});
  const auto stride = static_cast<size_t>(GST_VIDEO_INFO_PLANE_STRIDE(&out_, 0));
  const size_t row = size_t{3} * part.width;
  mosaic::Photo photo{part.width, part.height, std::vector<uint8_t>(row * part.height)};
  for (int y = 0; y < part.height; ++y)
    std::memcpy(photo.rgb.data() + y * row, &reduced_[(part.y + y) * stride + size_t{3} * part.x],
                row);
  return photo;
}

}  // namespace mosaic_gst
