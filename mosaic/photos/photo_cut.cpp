// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/photo_cut.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "kernels/finishing/skin.h"
#include "kernels/math/lab.h"
#include "kernels/math/tables.h"
#include "mosaic/photos/resize_part.h"

namespace mosaic {
namespace {

/// Sides of the reduced picture, pixels: across the axis along which the part slides, and the most
/// along it.
constexpr int kAcross = 64, kMostAlong = 4096;
/// How much a pixel counts that may be skin, in levels of luma: as much as a strong edge, because
/// faces are smooth.
constexpr int kSkin = 96;

int64_t divide(int64_t a, int64_t b) {
  return std::max<int64_t>((2 * a + b) / (2 * b), 1);
}

/// The part in the middle.
mt::CellRect central_part(const PhotoView& photo, const Shape& shape) {
  // Width : height of the part in pixels.
  const int64_t wide = int64_t{shape.width} * photo.pixel.height;
  const int64_t high = int64_t{shape.height} * photo.pixel.width;
  mt::CellRect part{0, 0, photo.width, photo.height};
  if (photo.width * high > photo.height * wide)
    part.width =
        static_cast<int>(std::min<int64_t>(divide(photo.height * wide, high), photo.width));
  else
    part.height =
        static_cast<int>(std::min<int64_t>(divide(photo.width * high, wide), photo.height));
  part.x = (photo.width - part.width) / 2;
  part.y = (photo.height - part.height) / 2;
  return part;
}

/// What there is to see at each place along an axis of a picture.
/// @param rgb [3][height][width] @param along whether the axis is x
std::vector<int64_t> interest(const std::vector<uint8_t>& rgb, mt::PixelSize size, bool along_x) {
  const int area = size.width * size.height;
  const auto gray = [&](int x, int y) {
    return mt::planar_gray(rgb.data(), area, y * size.width + x);
  };
  std::vector<int64_t> sums(along_x ? size.width : size.height);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int i = y * size.width + x;
      const int right = std::min(x + 1, size.width - 1), below = std::min(y + 1, size.height - 1);
      const int edge =
          std::abs(gray(right, y) - gray(x, y)) + std::abs(gray(x, below) - gray(x, y));
      const bool skin = mt::may_be_skin(&mt::tables(), rgb[i], rgb[area + i], rgb[2 * area + i]);
      sums[along_x ? x : y] += edge + (skin ? kSkin : 0);
    }
  return sums;
}

/// How much a place of the part counts, in 1 / length: all in its middle half, falling to nothing
/// at both ends.
int64_t weight(int place, int length) {
  return std::min({4 * place + 2, 4 * (length - place) - 2, length});
}

/// Where the best part begins. @param length of the part, below that of `sums`
int best_begin(const std::vector<int64_t>& sums, int length) {
  const int most = static_cast<int>(sums.size()) - length, middle = most / 2;
  const auto rate = [&](int begin) {
    int64_t sum = 0;
    for (int i = 0; i < length; ++i) sum += weight(i, length) * sums[begin + i];
    return sum;
  };
  const int64_t least = rate(middle) / 8 * 9;
  int best = middle;
  int64_t best_rate = least;
  for (int begin = 0; begin <= most; ++begin)
    if (const int64_t rated = rate(begin); rated > best_rate) best = begin, best_rate = rated;
  return best;
}

}  // namespace

mt::CellRect shown_part(const PhotoView& photo, const PhotoCut& cut) {
  mt::CellRect part = central_part(photo, cut.shape);
  const bool along_x = part.width < photo.width;
  const int spare = along_x ? photo.width - part.width : photo.height - part.height;
  if (cut.crop == Crop::kCentre || spare == 0) return part;
  const int along = along_x ? photo.width : photo.height;
  const int across = along_x ? photo.height : photo.width;
  const int small_across = std::min(across, kAcross);
  const int small_along = static_cast<int>(std::min<int64_t>(
      divide(int64_t{along} * small_across, across), std::min(along, kMostAlong)));
  const mt::PixelSize small =
      along_x ? mt::PixelSize(small_along, small_across) : mt::PixelSize(small_across, small_along);
  const int length = static_cast<int>(
      std::min<int64_t>(divide(int64_t{along - spare} * small_along, along), small_along));
  if (length == small_along) return part;
  std::vector<uint8_t> rgb(size_t{3} * small.width * small.height);
  resize_part(photo, {0, 0, photo.width, photo.height}, small, rgb.data());
  const int most = small_along - length;
  const int begin = best_begin(interest(rgb, small, along_x), length);
  if (begin == most / 2) return part;
  (along_x ? part.x : part.y) = static_cast<int>(int64_t{begin} * spare / most);
  return part;
}

}  // namespace mosaic
