// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Plain descriptions of pixels in memory, passed to kernels by value.
#pragma once

#include <cstdint>

#include "kernels/group.h"

namespace mt {

/// One component of a video frame: sample (x, y) of the picture begins at
/// data[(y >> y_shift) * stride + (x >> x_shift) * step].
struct Component {
  uint8_t* data = nullptr;
  int32_t stride = 0;
  int32_t step = 1;
  int32_t x_shift = 0;  ///< 0 or 1
  int32_t y_shift = 0;  ///< 0 or 1; 1 only where x_shift is
  int32_t depth = 8;    ///< bits of a sample, 8..16; more than 8 are in two bytes, the lower first
  int32_t low_zeros = 0;  ///< bits below the sample in its two bytes
};

/// A linear colour transform in fixed point with 16 fractional bits:
/// out[i] = clamp((m[i][0]*in[0] + m[i][1]*in[1] + m[i][2]*in[2] + offset[i]) >> 16, 0..255).
/// |m| <= 2^18. `offset` includes 2^15, so that the shift rounds.
struct ColorMatrix {
  int32_t m[3][3];
  int32_t offset[3];
};

enum class PixelKind : int32_t {
  kRgb,   ///< components are R, G, B
  kYuv,   ///< components are Y, U, V, chroma possibly subsampled
  kGray,  ///< one component, luma
};

/// A video frame, described by its components.
struct FrameView {
  PixelKind kind = PixelKind::kRgb;
  int32_t width = 0;   ///< pixels, 1..16384
  int32_t height = 0;  ///< pixels, 1..16384
  Component component[3];
  Component alpha;  ///< data is null where the format has none
  /// For kYuv, and for kGray with chroma 128. Luma has the same coefficient in each row, and red
  /// has none for U, blue none for V, as in all formats.
  ColorMatrix to_rgb{};
  ColorMatrix from_rgb{};  ///< kYuv and kGray
};

/// One plane: pixel (x, y) is data[y * stride + x].
struct GrayView {
  const uint8_t* data;
  int32_t stride, width, height;
};

/// Width and height, pixels. A single number makes a square.
struct PixelSize {
  int32_t width = 0, height = 0;
  PixelSize() = default;
  PixelSize(int32_t side)  // NOLINT(google-explicit-constructor): most sizes are squares
      : width(side), height(side) {}
  PixelSize(int32_t w, int32_t h) : width(w), height(h) {}
  bool operator==(const PixelSize&) const = default;
};

/// A rectangle of a picture, pixels.
struct CellRect {
  int32_t x, y, width, height;
};

/// Three planes of the same size: R, G, B.
struct Planes {
  uint8_t* plane[3] = {nullptr, nullptr, nullptr};
  int32_t stride = 0;
  int32_t width = 0;
  int32_t height = 0;
};

/// The part of a rectangle that lies within planes.
static MT_HD inline CellRect clipped(const CellRect& r, const Planes& to) {
  const int x0 = r.x < 0 ? 0 : r.x, y0 = r.y < 0 ? 0 : r.y;
  const int x1 = r.x + r.width < to.width ? r.x + r.width : to.width;
  const int y1 = r.y + r.height < to.height ? r.y + r.height : to.height;
  return {x0, y0, x1 > x0 ? x1 - x0 : 0, y1 > y0 ? y1 - y0 : 0};
}

}  // namespace mt
