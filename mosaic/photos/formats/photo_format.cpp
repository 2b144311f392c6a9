// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/formats/photo_format.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include "mosaic/photos/formats/gif_format.h"
#include "mosaic/photos/formats/jpeg_scan.h"
#include "mosaic/photos/formats/tiff_tags.h"
#include "mosaic/photos/formats/webp_format.h"

namespace mosaic {
namespace {

using Bytes = FileBytes;
using Size = PhotoSize;

/// A segment of a JPEG file (ISO/IEC 10918-1 annex B). Between segments there may be stray bytes,
/// which decoders skip.
struct JpegSegment {
  uint8_t marker = 0;  ///< 0: there is no segment any more
  size_t at = 0;       ///< where the marker is
  size_t end = 0;
};

/// The first segment that begins at `at` or later.
JpegSegment jpeg_segment(Bytes bytes, size_t at) {
  for (; at + 4 <= bytes.size(); ++at) {
    const uint8_t marker = bytes[at + 1];
    if (bytes[at] != 0xff || marker == 0 || marker == 0xff) continue;  // stray or fill byte
    const bool has_length = marker != 0x01 && (marker < 0xd0 || marker > 0xd8);
    return {marker, at, at + 2 + (has_length ? big_endian(bytes, at + 2, 2) : 0)};
  }
  return {};
}

constexpr uint8_t kStartOfScan = 0xda, kApplication1 = 0xe1;

/// Segments up to a start of scan, then data in which FF D9 is the end.
bool jpeg_is_whole(Bytes bytes) {
  JpegSegment segment = jpeg_segment(bytes, 2);
  while (segment.marker != 0 && segment.marker != kStartOfScan)
    segment = jpeg_segment(bytes, segment.end);
  if (segment.marker == 0) return false;
  const uint8_t end[] = {0xff, 0xd9};
  return std::search(bytes.begin() + segment.at, bytes.end(), end, end + 2) != bytes.end() ||
         jpeg_has_all_pixels(bytes);
}

PhotoColours exif_colours(Bytes exif) {
  return exif_is_adobe_rgb(exif) ? PhotoColours::kAdobeRgb : PhotoColours::kSrgb;
}

PhotoColours jpeg_colours(Bytes bytes) {
  JpegSegment segment = jpeg_segment(bytes, 2);
  for (; segment.marker != 0 && segment.marker != kStartOfScan;
       segment = jpeg_segment(bytes, segment.end))
    if (segment.marker == kApplication1 && has(bytes, segment.at + 4, "Exif"))
      return exif_colours(bytes.subspan(segment.at + 4));
  return PhotoColours::kSrgb;
}

/// The data of the first chunk of a type (RFC 2083: chunks of length, type, data, CRC), as far as
/// the file goes; its address is null if there is none.
Bytes png_chunk(Bytes bytes, std::string_view type) {
  for (size_t at = 8; at + 12 <= bytes.size(); at += size_t{12} + big_endian(bytes, at, 4))
    if (has(bytes, at + 4, type))
      return bytes.subspan(at + 8,
                           std::min<size_t>(big_endian(bytes, at, 4), bytes.size() - at - 8));
  return {};
}

bool png_is_whole(Bytes bytes) {
  return png_chunk(bytes, "IEND").data() != nullptr;
}

/// The chunk that controls an animation (PNG, third edition, 11.3.6.1).
bool png_is_animated(Bytes bytes) {
  return png_chunk(bytes, "acTL").data() != nullptr;
}

int png_orientation(Bytes bytes) {
  return exif_orientation(png_chunk(bytes, "eXIf"));
}

PhotoColours png_colours(Bytes bytes) {
  return exif_colours(png_chunk(bytes, "eXIf"));
}

/// All uncompressed pixels must be there; the size of run-length coded ones is not known in
/// advance. Header, palette and what else comes before the pixels must be there in any case,
/// because the loader allocates memory for them before it reads them.
bool bmp_is_whole(Bytes bytes) {
  if (bytes.size() < 34) return false;
  const uint64_t header = little_endian(bytes, 14, 4), begin = little_endian(bytes, 10, 4);
  const bool old_header = header == 12;  // BITMAPCOREHEADER
  if (!old_header && bytes.size() < 54) return false;
  const int32_t w =
      old_header ? little_endian(bytes, 18, 2) : static_cast<int32_t>(little_endian(bytes, 18, 4));
  const int32_t h =
      old_header ? little_endian(bytes, 20, 2) : static_cast<int32_t>(little_endian(bytes, 22, 4));
  const uint32_t depth = little_endian(bytes, old_header ? 24 : 28, 2);
  const uint32_t compression = old_header ? 0 : little_endian(bytes, 30, 4);
  const bool run_lengths = compression == 1 || compression == 2;
  const uint64_t colours = old_header || depth > 8 ? 0 : little_endian(bytes, 46, 4);
  if (w <= 0 || h == 0 || depth > 32) return false;
  if (std::max(begin, 14 + header + 4 * colours) > bytes.size()) return false;
  if (run_lengths) return true;
  const uint64_t stride = (uint64_t{depth} * static_cast<uint64_t>(w) + 31) / 32 * 4;
  const uint64_t rows = static_cast<uint64_t>(h < 0 ? -int64_t{h} : int64_t{h});
  return bytes.size() >= begin + stride * rows;
}

/// ISO/IEC 14496-12: boxes of length and type; a length of 1 is followed by one of 64 bits, and a
/// box of length 0 extends to the end.
struct Box {
  size_t at, end;  ///< in the file; end 0: there is no box that the file holds
  size_t header;
};

/// The box that begins at `at`.
Box box_at(Bytes bytes, size_t at) {
  if (at + 8 > bytes.size()) return {};
  uint64_t length = big_endian(bytes, at, 4);
  const bool is_long = length == 1 && at + 16 <= bytes.size();
  if (is_long)
    length = uint64_t{big_endian(bytes, at + 8, 4)} << 32 | big_endian(bytes, at + 12, 4);
  if (length == 0) length = bytes.size() - at;
  const size_t header = is_long ? 16 : 8;
  if (length < header || length > bytes.size() - at) return {};
  return {at, at + length, header};
}

bool heif_is_whole(Bytes bytes) {
  size_t at = 0;
  while (at + 8 <= bytes.size()) {
    const Box box = box_at(bytes, at);
    if (box.end == 0) return false;
    at = box.end;
  }
  return at == bytes.size();
}

/// What is in the first box of a type; `skip`: bytes before the boxes that it contains.
Bytes inside(Bytes boxes, std::string_view type, size_t skip = 0) {
  for (size_t at = 0; at < boxes.size();) {
    const Box box = box_at(boxes, at);
    if (box.end == 0) break;
    if (has(boxes, at + 4, type) && box.end - at >= box.header + skip)
      return boxes.subspan(at + box.header + skip, box.end - at - box.header - skip);
    at = box.end;
  }
  return {};
}

/// Of the properties of the pictures in the file (ISO/IEC 23008-12) the first of a kind that tells
/// colours, without the kind.
Bytes heif_colour_property(Bytes bytes, std::string_view kind) {
  constexpr size_t kVersionAndFlags = 4;
  const Bytes properties = inside(inside(inside(bytes, "meta", kVersionAndFlags), "iprp"), "ipco");
  for (size_t at = 0; at < properties.size();) {
    const Box box = box_at(properties, at);
    if (box.end == 0) break;
    const Bytes colours = inside(properties.subspan(at, box.end - at), "colr");
    if (has(colours, 0, kind)) return colours.subspan(kind.size());
    at = box.end;
  }
  return {};
}

Bytes heif_profile(Bytes bytes) {
  const Bytes profile = heif_colour_property(bytes, "prof");
  return profile.empty() ? heif_colour_property(bytes, "rICC") : profile;
}

/// Numbers in place of a profile (ISO/IEC 23091-2).
PhotoColours heif_colours(Bytes bytes) {
  constexpr uint32_t kP3Primaries = 12, kSrgbCurve = 13;
  const Bytes numbers = heif_colour_property(bytes, "nclx");
  const bool is_p3 = numbers.size() >= 4 && big_endian(numbers, 0, 2) == kP3Primaries &&
                     big_endian(numbers, 2, 2) == kSrgbCurve;
  return is_p3 ? PhotoColours::kDisplayP3 : PhotoColours::kSrgb;
}

/// Some versions of libtiff refuse a file that is too short for the size that it claims, and do not
/// say why.
Size tiff_size(Bytes bytes) {
  const auto side = [bytes](uint32_t tag) {
    return static_cast<int>(
        std::min<uint32_t>(tiff_number(bytes, tag).value_or(0), std::numeric_limits<int>::max()));
  };
  return {side(kTiffWidth), side(kTiffHeight)};
}

/// The media type that the brands of a file of the ISO base media format name (ISO/IEC 23008-12,
/// AV1 Image File Format); null: it is no picture.
const char* heif_type(Bytes bytes) {
  if (bytes.size() < 16 || !has(bytes, 4, "ftyp")) return nullptr;
  const size_t end = std::min<size_t>(big_endian(bytes, 0, 4), bytes.size());
  const char* type = nullptr;
  for (size_t at = 8; at + 4 <= end; at += at == 8 ? 8 : 4) {
    if (has(bytes, at, "avif") || has(bytes, at, "avis")) return "image/avif";
    for (const char* brand : {"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"})
      if (has(bytes, at, brand)) type = "image/heif";
  }
  return type;
}

/// The major brands of sequences of pictures.
bool heif_is_animated(Bytes bytes) {
  return has(bytes, 8, "avis") || has(bytes, 8, "msf1") || has(bytes, 8, "hevc") ||
         has(bytes, 8, "hevx");
}

}  // namespace

PhotoFormat photo_format(Bytes bytes) {
  using namespace std::string_view_literals;
  if (has(bytes, 0, "\xff\xd8\xff"))
    return {.type = "image/jpeg", .is_whole = jpeg_is_whole, .colours = jpeg_colours};
  if (has(bytes, 0, "\x89PNG\r\n\x1a\n"))
    return {.type = "image/png",
            .is_whole = png_is_whole,
            .is_animated = png_is_animated,
            .orientation = png_orientation,
            .colours = png_colours};
  if (has(bytes, 0, "RIFF") && has(bytes, 8, "WEBP")) return webp_format();
  if (has(bytes, 0, "II*\0"sv) || has(bytes, 0, "MM\0*"sv))
    return {.type = "image/tiff", .size = tiff_size, .colours = exif_colours};
  if (has(bytes, 0, "BM")) return {.type = "image/bmp", .is_whole = bmp_is_whole};
  if (has(bytes, 0, "GIF8")) return gif_format();
  if (const char* type = heif_type(bytes))
    return {.type = type,
            .is_whole = heif_is_whole,
            .is_animated = heif_is_animated,
            .profile = heif_profile,
            .colours = heif_colours};
  return {};
}

}  // namespace mosaic
