// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/formats/webp_format.h"

#include <algorithm>
#include <string_view>

#include "mosaic/base/error.h"
#include "mosaic/photos/formats/tiff_tags.h"

namespace mosaic {
namespace {

constexpr size_t kFirstChunk = 12;  // where it begins

/// RIFF: the second word is the size of what follows.
bool webp_is_whole(FileBytes bytes) {
  return bytes.size() - 8 >= little_endian(bytes, 4, 4);
}

/// The size from the first chunk, which is of one of three kinds (RFC 9649). The loader allocates
/// memory for the picture before it reports the size. libwebp takes a file whose first chunk is of
/// another kind for a bit stream without chunks, whose size is elsewhere.
PhotoSize webp_size(FileBytes bytes) {
  const bool lossy = has(bytes, 12, "VP8 "), lossless = has(bytes, 12, "VP8L");
  if (!lossy && !lossless && !has(bytes, 12, "VP8X"))
    throw Error(Error::Kind::kRead, "it is no WebP picture: its first chunk is of unknown type");
  if (bytes.size() < (lossless ? 25 : 30))
    throw Error(Error::Kind::kRead, "the file ends too early");
  const auto low14 = [](uint32_t v) { return static_cast<int>(v & 0x3fff); };
  if (lossy) return {low14(little_endian(bytes, 26, 2)), low14(little_endian(bytes, 28, 2))};
  if (lossless) {
    const uint32_t packed = little_endian(bytes, 21, 4);
    return {1 + low14(packed), 1 + low14(packed >> 14)};
  }
  return {1 + static_cast<int>(little_endian(bytes, 24, 3)),
          1 + static_cast<int>(little_endian(bytes, 27, 3))};
}

/// The flags of the first chunk, if it has any.
bool webp_is_animated(FileBytes bytes) {
  constexpr uint8_t kAnimation = 2;
  return has(bytes, 12, "VP8X") && bytes.size() > 20 && (bytes[20] & kAnimation);
}

struct Chunk {
  FileBytes data;  ///< as far as the file goes; its address is null if there is no chunk
  size_t end = 0;
};

/// The first chunk of a type that begins at `at` or later; chunks have type, length and data,
/// filled up to an even length.
Chunk webp_chunk_from(FileBytes bytes, size_t at, std::string_view type) {
  while (at + 8 <= bytes.size()) {
    const size_t size = little_endian(bytes, at + 4, 4), rest = bytes.size() - at - 8;
    const size_t end = at + 8 + size + (size & 1);
    if (has(bytes, at, type)) return {bytes.subspan(at + 8, std::min(size, rest)), end};
    at = end;
  }
  return {};
}

FileBytes webp_chunk(FileBytes bytes, std::string_view type) {
  return webp_chunk_from(bytes, kFirstChunk, type).data;
}

/// Each picture of an animation is a chunk with its duration after four numbers of 24 bits.
std::vector<int> webp_delays(FileBytes bytes) {
  std::vector<int> delays;
  if (!webp_is_animated(bytes)) return delays;
  for (size_t at = kFirstChunk;;) {
    const Chunk frame = webp_chunk_from(bytes, at, "ANMF");
    if (frame.data.size() < 16) return delays;
    delays.push_back(shown_for(static_cast<int>(little_endian(frame.data, 12, 3))));
    at = frame.end;
  }
}

int webp_orientation(FileBytes bytes) {
  return exif_orientation(webp_chunk(bytes, "EXIF"));
}

PhotoColours webp_colours(FileBytes bytes) {
  return exif_is_adobe_rgb(webp_chunk(bytes, "EXIF")) ? PhotoColours::kAdobeRgb
                                                      : PhotoColours::kSrgb;
}

FileBytes webp_profile(FileBytes bytes) {
  return webp_chunk(bytes, "ICCP");
}

}  // namespace

PhotoFormat webp_format() {
  return {.type = "image/webp",
          .is_whole = webp_is_whole,
          .size = webp_size,
          .is_animated = webp_is_animated,
          .delays = webp_delays,
          .orientation = webp_orientation,
          .profile = webp_profile,
          .colours = webp_colours};
}

}  // namespace mosaic
