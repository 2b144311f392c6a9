// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pack/photo_levels.h"

#include <algorithm>

#include "mosaic/pack/jpeg_file.h"
#include "mosaic/photos/resize_part.h"

namespace mosaic::pack {
namespace {

constexpr int kQuality = 95;  // of JPEG: no artefacts are seen when such a level is enlarged

Photo resized(const Photo& photo, const mt::CellRect& part, int side) {
  const size_t area = size_t{1} * side * side;
  std::vector<uint8_t> planes(3 * area);
  resize_part(photo, part, side, planes.data());
  Photo out{side, side, std::vector<uint8_t>(3 * area)};
  for (size_t i = 0; i < area; ++i)
    for (size_t c = 0; c < 3; ++c) out.rgb[3 * i + c] = planes[c * area + i];
  return out;
}

}  // namespace

std::array<std::vector<uint8_t>, kLevels> photo_levels(const Photo& photo, const PhotoCut& cut,
                                                       int largest) {
  std::array<std::vector<uint8_t>, kLevels> levels;
  mt::CellRect part = shown_part(photo, cut);
  const int most = std::min(largest, std::max(part.width, part.height));
  Photo smaller;
  const Photo* from = &photo;
  for (int level = kLevels - 1; level >= 0; --level) {
    const bool is_raw = level < kRawLevels;
    const int side = side_of(level);
    if (!is_raw && side > most) continue;
    smaller = resized(*from, part, side);
    from = &smaller;
    part = {0, 0, side, side};
    levels[level] = is_raw ? smaller.rgb : jpeg_file(smaller, kQuality);
  }
  return levels;
}

}  // namespace mosaic::pack
