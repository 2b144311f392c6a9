// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/tiff_tags.h"

#include <string_view>

namespace mosaic {

using namespace std::string_view_literals;

std::optional<uint32_t> tiff_number(FileBytes bytes, uint32_t tag) {
  constexpr uint32_t kShort = 3, kLong = 4;
  const bool little = has(bytes, 0, "II*\0"sv);
  if (bytes.size() < 8 || (!little && !has(bytes, 0, "MM\0*"sv))) return std::nullopt;
  const auto number = little ? little_endian : big_endian;
  const size_t directory = number(bytes, 4, 4);
  if (directory + 2 > bytes.size()) return std::nullopt;
  const size_t entries = number(bytes, directory, 2);
  std::optional<uint32_t> found;
  for (size_t i = 0; i < entries && directory + 2 + 12 * (i + 1) <= bytes.size(); ++i) {
    const size_t at = directory + 2 + 12 * i;
    const uint32_t type = number(bytes, at + 2, 2);
    if (number(bytes, at, 2) == tag && (type == kShort || type == kLong))
      found = number(bytes, at + 8, type == kShort ? 2 : 4);
  }
  return found;
}

int exif_orientation(FileBytes exif) {
  constexpr std::string_view kMark = "Exif\0\0"sv;
  if (has(exif, 0, kMark)) exif = exif.subspan(kMark.size());
  const uint32_t orientation = tiff_number(exif, kTiffOrientation).value_or(1);
  return orientation >= 1 && orientation <= 8 ? static_cast<int>(orientation) : 1;
}

}  // namespace mosaic
