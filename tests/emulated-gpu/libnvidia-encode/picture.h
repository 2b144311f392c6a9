// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/emulated-gpu/libnvidia-encode/api.h"

namespace emulated_nvenc {

/// How the bytes of a picture lie in memory. All planes lie one after the other; the planes of
/// subsampled chroma have half the pitch, if they are not interleaved.
struct Layout {
  NV_ENC_BUFFER_FORMAT format;
  std::size_t pitch;            ///< of the first plane, in bytes
  std::uint32_t width, height;  ///< in pixels

  /// Number of bytes from the first to the end of the last plane; 0 if the format is unknown.
  std::size_t bytes() const;
  /// The smallest pitch.
  std::size_t row_bytes() const;
  bool subsampled() const;  ///< 4:2:0, or encoded as such
};

/// A picture that libx264 can read.
class Picture {
 public:
  /// @param bytes  the picture, layout.bytes() of them, which are kept
  /// @param width, height  what is encoded of it: at most the layout's
  Picture(std::vector<std::uint8_t> bytes, const Layout& layout, std::uint32_t width,
          std::uint32_t height);

  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  const x264_image_t& image() const { return image_; }

 private:
  void point_at_planes(const Layout& layout);
  void unpack_ayuv(const Layout& layout, std::uint32_t width, std::uint32_t height);
  void convert_rgb(const Layout& layout, std::uint32_t width, std::uint32_t height);
  /// Makes room for planes of 8-bit samples and points the image at them.
  void make_planes(std::uint32_t width, std::uint32_t height, bool subsampled);

  std::vector<std::uint8_t> bytes_, planes_;
  x264_image_t image_{};
};

}  // namespace emulated_nvenc
