// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/formats/tiff_tags.h"

#include <string_view>

namespace mosaic {

using namespace std::string_view_literals;

namespace {

constexpr size_t kEntry = 12;  // bytes: tag, type, count, value
constexpr uint32_t kShort = 3, kLong = 4;

bool is_little(FileBytes bytes) {
  return has(bytes, 0, "II*\0"sv);
}

uint32_t number(FileBytes bytes, size_t at, int size) {
  return is_little(bytes) ? little_endian(bytes, at, size) : big_endian(bytes, at, size);
}

/// Where the last entry of a tag is in the directory that begins at `directory`; 0: there is none.
size_t entry_of(FileBytes bytes, size_t directory, uint32_t tag) {
  if (bytes.size() < 8 || (!is_little(bytes) && !has(bytes, 0, "MM\0*"sv))) return 0;
  if (directory + 2 > bytes.size()) return 0;
  const size_t entries = number(bytes, directory, 2);
  size_t found = 0;
  for (size_t i = 0; i < entries && directory + 2 + kEntry * (i + 1) <= bytes.size(); ++i)
    if (const size_t at = directory + 2 + kEntry * i; number(bytes, at, 2) == tag) found = at;
  return found;
}

std::optional<uint32_t> number_in(FileBytes bytes, size_t directory, uint32_t tag) {
  const size_t at = entry_of(bytes, directory, tag);
  const uint32_t type = at ? number(bytes, at + 2, 2) : 0;
  if (type != kShort && type != kLong) return std::nullopt;
  return number(bytes, at + 8, type == kShort ? 2 : 4);
}

size_t first_directory(FileBytes bytes) {
  return bytes.size() < 8 ? 0 : number(bytes, 4, 4);
}

/// Without the mark that JPEG puts before it.
FileBytes without_mark(FileBytes exif) {
  constexpr std::string_view kMark = "Exif\0\0"sv;
  return has(exif, 0, kMark) ? exif.subspan(kMark.size()) : exif;
}

}  // namespace

std::optional<uint32_t> tiff_number(FileBytes bytes, uint32_t tag) {
  return number_in(bytes, first_directory(bytes), tag);
}

int exif_orientation(FileBytes exif) {
  const uint32_t orientation = tiff_number(without_mark(exif), kTiffOrientation).value_or(1);
  return orientation >= 1 && orientation <= 8 ? static_cast<int>(orientation) : 1;
}

bool exif_is_adobe_rgb(FileBytes exif) {
  constexpr uint32_t kExif = 0x8769, kInteroperability = 0xa005, kIndex = 1;
  const FileBytes bytes = without_mark(exif);
  const std::optional<uint32_t> more = tiff_number(bytes, kExif);
  const std::optional<uint32_t> directory =
      more ? number_in(bytes, *more, kInteroperability) : std::nullopt;
  const size_t index = directory ? entry_of(bytes, *directory, kIndex) : 0;
  return index != 0 && has(bytes, index + 8, "R03");
}

}  // namespace mosaic
