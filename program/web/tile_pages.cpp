// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/web/tile_pages.h"

#include <algorithm>

#include "mosaic/base/error.h"
#include "mosaic/pack/jpeg_file.h"
#include "mosaic/pack/pack_format.h"
#include "mosaic/photos/photo_cut.h"
#include "mosaic/photos/resize_part.h"

namespace mosaic_program {
namespace {

using mosaic::Photo;

constexpr int kQuality = 90;

/// Puts what is shown of a photo into a page, at the page's size.
void place(const Photo& photo, mosaic::Shape shape, const PageLevel& level, int number,
           Photo& page) {
  const size_t side = level.side, area = side * side;
  std::vector<uint8_t> planes(3 * area);
  resize_part(photo, shown_part(photo, {.shape = shape}), level.side, planes.data());
  const size_t left = number % level.columns * side, top = number / level.columns * side;
  for (size_t y = 0; y < side; ++y)
    for (size_t x = 0; x < side; ++x)
      for (size_t c = 0; c < 3; ++c)
        page.rgb[3 * ((top + y) * page.width + left + x) + c] = planes[c * area + y * side + x];
}

std::vector<uint8_t> one_photo(const Photo& photo, mosaic::Shape shape, int side) {
  Photo page{side, side, std::vector<uint8_t>(size_t{3} * side * side)};
  place(photo, shape, {.side = side, .columns = 1}, 0, page);
  return mosaic::pack::jpeg_file(page, kQuality);
}

/// The largest level of a photo that is no larger than `side`.
int largest_level(const mosaic::pack::Pack& pack, int photo, int side) {
  int level = pack.levels(photo) - 1;
  while (level > 0 && mosaic::pack::side_of(level) > side) --level;
  return level;
}

}  // namespace

int TilePages::count(const PageLevel& level) const {
  return (photos_.count() + level.photos() - 1) / level.photos();
}

bool TilePages::shows_more(const PageLevel& level, int number) const {
  if (level.photos() > 1) return true;
  const mosaic::pack::Pack& pack = photos_.pack();
  const int largest = mosaic::pack::side_of(pack.levels(number) - 1);
  int smaller = 0;
  for (const PageLevel& other : kPageLevels)
    if (other.side < level.side) smaller = other.side;
  return largest > smaller;
}

std::vector<uint8_t> TilePages::page(const PageLevel& level, int number) const {
  const mosaic::pack::Pack& pack = photos_.pack();
  const int first = number * level.photos();
  if (level.photos() == 1) {
    const int best = largest_level(pack, first, level.side);
    if (shape_ == pack.shape() && best >= mosaic::pack::kRawLevels) return pack.level(first, best);
    const int side = mosaic::pack::side_of(best);
    return one_photo(photos_.decode_at(first, side), shape_, side);
  }
  const int side = level.columns * level.side;
  Photo page{side, side, std::vector<uint8_t>(size_t{3} * side * side)};
  for (int i = 0; i < std::min(level.photos(), photos_.count() - first); ++i) try {
      place(photos_.decode_at(first + i, level.side), shape_, level, i, page);
    } catch (const mosaic::Error& error) {
      // The others are whole.
      if (error.kind() != mosaic::Error::Kind::kRead) throw;
    }
  return mosaic::pack::jpeg_file(page, kQuality);
}

}  // namespace mosaic_program
