// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/photo_decode.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "mosaic/base/error.h"

namespace mosaic {
namespace {

using Bytes = std::span<const uint8_t>;

/// Bytes given to the loader in one call: few calls, but a picture that is too large is found out
/// early.
constexpr size_t kChunk = 64 * 1024;

[[noreturn]] void fail(const std::string& why) {
  throw Error(Error::Kind::kRead, why);
}

bool has(Bytes bytes, size_t at, std::string_view text) {
  return at + text.size() <= bytes.size() &&
         std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

uint32_t little_endian(Bytes bytes, size_t at, int size) {
  uint32_t value = 0;
  for (int i = size; i-- > 0;) value = value << 8 | bytes[at + i];
  return value;
}

uint32_t big_endian(Bytes bytes, size_t at, int size) {
  uint32_t value = 0;
  for (int i = 0; i < size; ++i) value = value << 8 | bytes[at + i];
  return value;
}

/// Width and height in pixels; 0 x 0: not known.
struct Size {
  int width = 0;
  int height = 0;

  /// Throws Error if a picture of this size is too large.
  void check() const {
    if (is_refused())
      fail("it has " + std::to_string(width) + "x" + std::to_string(height) +
           " pixels, more than 64 megapixels");
  }
  int64_t pixels() const { return int64_t{width} * height; }
  bool is_refused() const { return pixels() > kMaxPhotoPixels; }
};

// For these formats, the loaders of gdk-pixbuf report no error when a file ends too early:
// they return the picture with its missing part grey or transparent. So the file itself is checked.

/// ISO/IEC 10918-1 annex B: segments up to a start of scan, then data in which FF D9 is the end.
bool jpeg_is_whole(Bytes bytes) {
  size_t at = 2;
  while (at + 4 <= bytes.size() && bytes[at] == 0xff) {
    const uint8_t marker = bytes[at + 1];
    if (marker == 0xff) {
      ++at;  // fill byte
      continue;
    }
    if (marker == 0xda) {
      const uint8_t end[] = {0xff, 0xd9};
      return std::search(bytes.begin() + at, bytes.end(), end, end + 2) != bytes.end();
    }
    at += 2 + big_endian(bytes, at + 2, 2);
  }
  return false;
}

/// RFC 2083: chunks of length, type, data, CRC; the last is IEND.
bool png_is_whole(Bytes bytes) {
  for (size_t at = 8; at + 12 <= bytes.size(); at += size_t{12} + big_endian(bytes, at, 4))
    if (has(bytes, at + 4, "IEND")) return true;
  return false;
}

/// RIFF: the second word is the size of what follows.
bool webp_is_whole(Bytes bytes) {
  return bytes.size() - 8 >= little_endian(bytes, 4, 4);
}

/// The size from the first chunk, which is of one of three kinds (RFC 9649). The loader allocates
/// memory for the picture before it reports the size. libwebp takes a file whose first chunk is of
/// another kind for a bit stream without chunks, whose size is elsewhere.
Size webp_size(Bytes bytes) {
  const bool lossy = has(bytes, 12, "VP8 "), lossless = has(bytes, 12, "VP8L");
  if (!lossy && !lossless && !has(bytes, 12, "VP8X"))
    fail("it is no WebP picture: its first chunk is of unknown type");
  if (bytes.size() < (lossless ? 25 : 30)) fail("the file ends too early");
  const auto low14 = [](uint32_t v) { return static_cast<int>(v & 0x3fff); };
  if (lossy) return {low14(little_endian(bytes, 26, 2)), low14(little_endian(bytes, 28, 2))};
  if (lossless) {
    const uint32_t packed = little_endian(bytes, 21, 4);
    return {1 + low14(packed), 1 + low14(packed >> 14)};
  }
  return {1 + static_cast<int>(little_endian(bytes, 24, 3)),
          1 + static_cast<int>(little_endian(bytes, 27, 3))};
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

/// The end of the sub-blocks that begin at `at`: each is preceded by its length, and a length of 0
/// ends them.
size_t after_sub_blocks(Bytes bytes, size_t at) {
  while (at < bytes.size() && bytes[at] != 0) at += size_t{1} + bytes[at];
  return at + 1;
}

/// The size in bytes of the table of colours that a byte of flags describes; 0: there is none.
size_t gif_table_bytes(uint8_t flags) {
  return flags & 0x80 ? size_t{3} << ((flags & 7) + 1) : 0;
}

/// The end of the extension that begins at `at`, as gdk-pixbuf's loader finds it: in graphic
/// control and application extensions it reads one sub-block, even an empty one, and then more up
/// to an empty one.
size_t after_extension(Bytes bytes, size_t at) {
  const uint8_t label = bytes[at + 1];
  const bool control_or_application = label == 0xf9 || label == 0xff;
  return after_sub_blocks(bytes, at + 2 + (control_or_application ? 1 + bytes[at + 2] : 0));
}

/// The size of a GIF's largest frame. A frame may be larger than the picture, whose size the loader
/// reports, and the loader allocates memory for it.
Size gif_size(Bytes bytes) {
  Size largest;
  if (bytes.size() < 13) return largest;
  size_t at = 13 + gif_table_bytes(bytes[10]);
  while (at + 10 <= bytes.size() && bytes[at] != ';') {
    if (bytes[at] == '!') {
      at = after_extension(bytes, at);
    } else if (bytes[at] == ',') {
      const Size frame{static_cast<int>(little_endian(bytes, at + 5, 2)),
                       static_cast<int>(little_endian(bytes, at + 7, 2))};
      if (frame.pixels() > largest.pixels()) largest = frame;
      at = after_sub_blocks(bytes, at + 11 + gif_table_bytes(bytes[at + 9]));
    } else {
      ++at;
    }
  }
  return largest;
}

/// ISO/IEC 14496-12: boxes of length and type; a length of 1 is followed by one of 64 bits, and a
/// box of length 0 extends to the end.
bool heif_is_whole(Bytes bytes) {
  size_t at = 0;
  while (at + 8 <= bytes.size()) {
    uint64_t box = big_endian(bytes, at, 4);
    if (box == 1 && at + 16 <= bytes.size())
      box = uint64_t{big_endian(bytes, at + 8, 4)} << 32 | big_endian(bytes, at + 12, 4);
    if (box == 0) return true;
    if (box < 8 || box > bytes.size() - at) return false;
    at += box;
  }
  return at == bytes.size();
}

/// The size from a TIFF's first directory (TIFF 6.0, section 2): tag 256 is the width, 257 the
/// height, each of type SHORT or LONG. Some versions of libtiff refuse a file that is too short for
/// the size that it claims, and do not say why.
Size tiff_size(Bytes bytes) {
  const auto number = has(bytes, 0, "II") ? little_endian : big_endian;
  Size size;
  if (bytes.size() < 8) return size;
  const size_t directory = number(bytes, 4, 4);
  if (directory + 2 > bytes.size()) return size;
  const size_t entries = number(bytes, directory, 2);
  for (size_t i = 0; i < entries && directory + 2 + 12 * (i + 1) <= bytes.size(); ++i) {
    const size_t at = directory + 2 + 12 * i;
    const uint32_t tag = number(bytes, at, 2), type = number(bytes, at + 2, 2);
    if (type != 3 && type != 4) continue;  // SHORT, LONG
    const uint32_t value = number(bytes, at + 8, type == 3 ? 2 : 4);
    const int side = static_cast<int>(std::min<uint32_t>(value, std::numeric_limits<int>::max()));
    if (tag == 256) size.width = side;
    if (tag == 257) size.height = side;
  }
  return size;
}

/// The loaders of TIFF and GIF report a file that ends too early.
bool loader_knows(Bytes) {
  return true;
}

/// The other loaders report the size (on_size_prepared) before they allocate memory, those of HEIF
/// and AVIF after decoding, for which the memory of the process is limited.
Size loader_asks(Bytes) {
  return {};
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

struct Format {
  const char* type;  ///< media type
  bool (*is_whole)(Bytes);
  Size (*size)(Bytes);
};

Format format_of(Bytes bytes) {
  using namespace std::string_view_literals;
  if (has(bytes, 0, "\xff\xd8\xff")) return {"image/jpeg", jpeg_is_whole, loader_asks};
  if (has(bytes, 0, "\x89PNG\r\n\x1a\n")) return {"image/png", png_is_whole, loader_asks};
  if (has(bytes, 0, "RIFF") && has(bytes, 8, "WEBP"))
    return {"image/webp", webp_is_whole, webp_size};
  if (has(bytes, 0, "II*\0"sv) || has(bytes, 0, "MM\0*"sv))
    return {"image/tiff", loader_knows, tiff_size};
  if (has(bytes, 0, "BM")) return {"image/bmp", bmp_is_whole, loader_asks};
  if (has(bytes, 0, "GIF8")) return {"image/gif", loader_knows, gif_size};
  if (const char* type = heif_type(bytes)) return {type, heif_is_whole, loader_asks};
  fail("it is not a JPEG, PNG, WebP, TIFF, BMP, GIF, HEIF or AVIF picture");
}

void on_size_prepared(GdkPixbufLoader* loader, int width, int height, gpointer user) {
  auto* size = static_cast<Size*>(user);
  *size = {width, height};
  // A size of 0 asks the loader to stop before it allocates memory.
  if (size->is_refused()) gdk_pixbuf_loader_set_size(loader, 0, 0);
}

struct Unref {
  void operator()(gpointer object) const { g_object_unref(object); }
};
using Pixbuf = std::unique_ptr<GdkPixbuf, Unref>;

/// Returns the text of an error of a loader, and frees the error. The loader of HEIF has none if
/// libheif cannot decode a photo.
std::string take(GError* error, const char* type) {
  std::string text = "its loader gives no reason";
  if (error)
    text = error->message;
  else if (std::strcmp(type, "image/heif") == 0)
    text += ": it is damaged, or libheif has no decoder for it (package libheif-plugin-libde265)";
  g_clear_error(&error);
  return text;
}

Pixbuf load(Bytes bytes, const char* type) {
  GError* error = nullptr;
  const std::unique_ptr<GdkPixbufLoader, Unref> loader(
      gdk_pixbuf_loader_new_with_mime_type(type, &error));
  if (!loader) fail(take(error, type));
  Size size;
  g_signal_connect(loader.get(), "size-prepared", G_CALLBACK(on_size_prepared), &size);
  bool ok = true;
  for (size_t at = 0; ok && at < bytes.size(); at += kChunk)
    ok = gdk_pixbuf_loader_write(loader.get(), bytes.data() + at,
                                 std::min(kChunk, bytes.size() - at), &error) &&
         !size.is_refused();
  // A loader must always be closed; the first error is the one that gives the reason.
  if (!gdk_pixbuf_loader_close(loader.get(), error ? nullptr : &error)) ok = false;
  const std::string reason = ok ? "" : take(error, type);
  size.check();
  if (!ok) fail(reason);
  GdkPixbuf* pixbuf = gdk_pixbuf_loader_get_pixbuf(loader.get());
  if (!pixbuf) fail("it contains no picture");
  return Pixbuf(gdk_pixbuf_apply_embedded_orientation(pixbuf));
}

uint8_t over_white(unsigned value, unsigned alpha) {
  return static_cast<uint8_t>((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

void copy_over_white(const GdkPixbuf* pixbuf, uint8_t* rgb) {
  const int width = gdk_pixbuf_get_width(pixbuf), height = gdk_pixbuf_get_height(pixbuf);
  const size_t stride = static_cast<size_t>(gdk_pixbuf_get_rowstride(pixbuf));
  const size_t row_bytes = size_t{3} * width;
  const uint8_t* pixels = gdk_pixbuf_read_pixels(pixbuf);
  for (int y = 0; y < height; ++y) {
    const uint8_t* in = pixels + y * stride;
    uint8_t* out = rgb + y * row_bytes;
    if (!gdk_pixbuf_get_has_alpha(pixbuf)) {
      std::memcpy(out, in, row_bytes);
      continue;
    }
    for (int x = 0; x < width; ++x, in += 4, out += 3)
      for (int c = 0; c < 3; ++c) out[c] = over_white(in[c], in[3]);
  }
}

}  // namespace

void decode_photo(Bytes bytes, const MakePhoto& make) {
  if (bytes.empty()) fail("the file is empty");
  const Format format = format_of(bytes);
  if (!format.is_whole(bytes)) fail("the file ends too early");
  format.size(bytes).check();
  const Pixbuf pixbuf = load(bytes, format.type);
  if (!pixbuf) fail("not enough memory to rotate it");
  copy_over_white(pixbuf.get(),
                  make(gdk_pixbuf_get_width(pixbuf.get()), gdk_pixbuf_get_height(pixbuf.get())));
}

}  // namespace mosaic
