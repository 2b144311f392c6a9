// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/emulated-gpu/libnvidia-encode/picture.h"

#include <utility>

namespace emulated_nvenc {
namespace {

bool packed(NV_ENC_BUFFER_FORMAT format) {
  return format == NV_ENC_BUFFER_FORMAT_ARGB || format == NV_ENC_BUFFER_FORMAT_ABGR ||
         format == NV_ENC_BUFFER_FORMAT_AYUV;
}

std::uint32_t half(std::uint32_t size) {
  return (size + 1) / 2;
}

}  // namespace

std::size_t Layout::bytes() const {
  const std::size_t rows = height;
  switch (format) {
    case NV_ENC_BUFFER_FORMAT_NV12:
    case NV_ENC_BUFFER_FORMAT_YV12:
    case NV_ENC_BUFFER_FORMAT_IYUV:
      return pitch * (rows + half(height));
    case NV_ENC_BUFFER_FORMAT_YUV444:
      return pitch * rows * 3;
    case NV_ENC_BUFFER_FORMAT_ARGB:
    case NV_ENC_BUFFER_FORMAT_ABGR:
    case NV_ENC_BUFFER_FORMAT_AYUV:
      return pitch * rows;
    default:
      return 0;
  }
}

std::size_t Layout::row_bytes() const {
  return packed(format) ? std::size_t{width} * 4 : width;
}

bool Layout::subsampled() const {
  return format != NV_ENC_BUFFER_FORMAT_YUV444 && format != NV_ENC_BUFFER_FORMAT_AYUV;
}

Picture::Picture(std::vector<std::uint8_t> bytes, const Layout& layout, std::uint32_t width,
                 std::uint32_t height)
    : bytes_(std::move(bytes)) {
  if (layout.format == NV_ENC_BUFFER_FORMAT_AYUV)
    unpack_ayuv(layout, width, height);
  else if (packed(layout.format))
    convert_rgb(layout, width, height);
  else
    point_at_planes(layout);
}

void Picture::point_at_planes(const Layout& layout) {
  const int pitch = static_cast<int>(layout.pitch);
  const std::size_t luma = layout.pitch * layout.height;
  std::uint8_t* const chroma = bytes_.data() + luma;
  image_.plane[0] = bytes_.data();
  image_.i_stride[0] = pitch;
  image_.plane[1] = chroma;
  if (layout.format == NV_ENC_BUFFER_FORMAT_NV12) {
    image_.i_csp = X264_CSP_NV12;
    image_.i_plane = 2;
    image_.i_stride[1] = pitch;
    return;
  }
  image_.i_plane = 3;
  if (layout.format == NV_ENC_BUFFER_FORMAT_YUV444) {
    image_.i_csp = X264_CSP_I444;
    image_.plane[2] = chroma + luma;
    image_.i_stride[1] = image_.i_stride[2] = pitch;
    return;
  }
  image_.i_csp = layout.format == NV_ENC_BUFFER_FORMAT_YV12 ? X264_CSP_YV12 : X264_CSP_I420;
  image_.i_stride[1] = image_.i_stride[2] = (pitch + 1) / 2;
  image_.plane[2] = chroma + static_cast<std::size_t>(image_.i_stride[1]) * half(layout.height);
}

void Picture::make_planes(std::uint32_t width, std::uint32_t height, bool subsampled) {
  const std::uint32_t columns = subsampled ? half(width) : width;
  const std::uint32_t rows = subsampled ? half(height) : height;
  const std::size_t luma = std::size_t{width} * height, chroma = std::size_t{columns} * rows;
  planes_.resize(luma + 2 * chroma);
  image_.i_csp = subsampled ? X264_CSP_I420 : X264_CSP_I444;
  image_.i_plane = 3;
  image_.plane[0] = planes_.data();
  image_.plane[1] = planes_.data() + luma;
  image_.plane[2] = planes_.data() + luma + chroma;
  image_.i_stride[0] = static_cast<int>(width);
  image_.i_stride[1] = image_.i_stride[2] = static_cast<int>(columns);
}

void Picture::unpack_ayuv(const Layout& layout, std::uint32_t width, std::uint32_t height) {
  make_planes(width, height, false);
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      for (std::size_t c = 0; c < 3; ++c)  // a word is A, Y, U, V; V is its first byte
        image_.plane[c][std::size_t{y} * width + x] = bytes_[y * layout.pitch + x * 4 + (2 - c)];
}

/// With the matrix of ITU-R BT.601, in the limited range; chroma is that of the first pixel of each
/// block of four.
void Picture::convert_rgb(const Layout& layout, std::uint32_t width, std::uint32_t height) {
  make_planes(width, height, true);
  const bool red_first = layout.format == NV_ENC_BUFFER_FORMAT_ABGR;
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x) {
      const std::uint8_t* const pixel = &bytes_[y * layout.pitch + x * 4];
      const int r = pixel[red_first ? 0 : 2], g = pixel[1], b = pixel[red_first ? 2 : 0];
      image_.plane[0][std::size_t{y} * width + x] =
          static_cast<std::uint8_t>(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
      if (y % 2 != 0 || x % 2 != 0) continue;
      const std::size_t at = std::size_t{y / 2} * half(width) + x / 2;
      image_.plane[1][at] =
          static_cast<std::uint8_t>(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
      image_.plane[2][at] =
          static_cast<std::uint8_t>(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
    }
}

}  // namespace emulated_nvenc
