// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/tile_pictures.h"

#include <algorithm>

#include "mosaic/photos/resize_part.h"

namespace mosaic {
namespace {

/// Whether what a cut leaves of a photo has kSpare times the sides of the pictures.
bool is_large_enough(int width, int height, const TilePictures& pictures) {
  const Shape shape = pictures.cut.shape;
  // The sides of the largest part of the cut's shape.
  const double unit = std::min(static_cast<double>(width) / shape.width,
                               static_cast<double>(height) / shape.height);
  return std::all_of(
      pictures.picture.begin(), pictures.picture.end(), [&](const TilePictures::Picture& picture) {
        return unit * shape.width >= kSpare * static_cast<double>(picture.size.width) &&
               unit * shape.height >= kSpare * static_cast<double>(picture.size.height);
      });
}

}  // namespace

void cut_out(const PhotoView& photo, const TilePictures& pictures) {
  const mt::CellRect part = shown_part(photo, pictures.cut);
  for (const TilePictures::Picture& picture : pictures.picture)
    if (picture.bytes() > 0) resize_part(photo, part, picture.size, picture.out);
}

int divisor_for(int width, int height, const TilePictures& pictures) {
  for (const int divisor : {4, 2}) {
    const int across = width / divisor, along = height / divisor;
    if (is_large_enough(across, along, pictures) && is_large_enough(along, across, pictures))
      return divisor;
  }
  return 1;
}

}  // namespace mosaic
