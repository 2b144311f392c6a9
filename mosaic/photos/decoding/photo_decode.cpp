// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/decoding/photo_decode.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mosaic/base/error.h"
#include "mosaic/photos/colour_profile.h"
#include "mosaic/photos/formats/photo_format.h"

namespace mosaic {
namespace {

using Bytes = FileBytes;

/// Bytes given to the loader in one call: few calls, but a picture that is too large is found out
/// early.
constexpr size_t kChunk = 64 * 1024;

[[noreturn]] void fail(const std::string& why) {
  throw Error(Error::Kind::kRead, why);
}

/// The size of one picture, and what is allowed.
class SizeLimit {
 public:
  SizeLimit(const PhotoLimits& limits, const PhotoFormat& format, const TilePictures* pictures)
      : limits_(limits),
        is_jpeg_(std::strcmp(format.type, "image/jpeg") == 0),
        pictures_(is_jpeg_ ? pictures : nullptr) {}

  /// Throws Error if a picture of this size is too large.
  void check(PhotoSize size) const {
    if (is_refused(size))
      fail("it has " + std::to_string(size.width) + "x" + std::to_string(size.height) +
           " pixels, more than " + std::to_string(most() >> 20) + " megapixels");
  }
  bool is_refused(PhotoSize size) const { return size.pixels() > most(); }

  /// The size in which to decode a picture. That of a JPEG is divided by 2, 4 or 8, which its
  /// decoder does while it decodes.
  PhotoSize reduced(PhotoSize size) const {
    const int divisor = pictures_ ? divisor_for(size.width, size.height, *pictures_) : 1;
    for (const int by : {1, 2, 4, 8}) {
      if (by < divisor) continue;
      const PhotoSize smaller{(size.width + by - 1) / by, (size.height + by - 1) / by};
      if (is_allowed(smaller)) return smaller;
      if (!is_jpeg_) break;
    }
    const double side = static_cast<double>(limits_.side) / std::max(size.width, size.height);
    const double area = std::sqrt(static_cast<double>(limits_.pixels) / size.pixels());
    const double scale = std::min(side, area);
    return {std::max(1, static_cast<int>(scale * size.width)),
            std::max(1, static_cast<int>(scale * size.height))};
  }
  bool is_allowed(PhotoSize size) const {
    return std::max(size.width, size.height) <= limits_.side && size.pixels() <= limits_.pixels;
  }

 private:
  int64_t most() const { return is_jpeg_ ? limits_.jpeg_pixels : limits_.whole_pixels; }

  const PhotoLimits& limits_;
  bool is_jpeg_;
  const TilePictures* pictures_;
};

struct Loading {
  SizeLimit limit;
  PhotoSize size;  ///< of the picture in the file
};

void on_size_prepared(GdkPixbufLoader* loader, int width, int height, gpointer user) {
  auto* loading = static_cast<Loading*>(user);
  loading->size = {width, height};
  // A size of 0 asks the loader to stop before it allocates memory.
  if (loading->limit.is_refused(loading->size)) return gdk_pixbuf_loader_set_size(loader, 0, 0);
  const PhotoSize size = loading->limit.reduced(loading->size);
  if (size.width != width || size.height != height)
    gdk_pixbuf_loader_set_size(loader, size.width, size.height);
}

struct Unref {
  void operator()(gpointer object) const { g_object_unref(object); }
};
using Pixbuf = std::unique_ptr<GdkPixbuf, Unref>;
using PixbufLoader = std::unique_ptr<GdkPixbufLoader, Unref>;

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

/// Where a missing loader is found, to be added to a message.
std::string package_for(std::string_view type) {
  const char* package = type == "image/webp"   ? "webp-pixbuf-loader"
                        : type == "image/heif" ? "heif-gdk-pixbuf"
                        : type == "image/avif" ? "libavif-gdk-pixbuf"
                                               : nullptr;
  return package ? std::string(" (package ") + package + " has a loader for it)" : "";
}

/// A loader for a format. Throws Error (kFormat) if there is none.
PixbufLoader loader_for(const char* type) {
  GError* error = nullptr;
  PixbufLoader loader(gdk_pixbuf_loader_new_with_mime_type(type, &error));
  if (!loader) throw Error(Error::Kind::kFormat, take(error, type) + package_for(type));
  return loader;
}

/// A loader that has read a file.
PixbufLoader load(Bytes bytes, const PhotoFormat& format, Loading& loading) {
  PixbufLoader loader = loader_for(format.type);
  GError* error = nullptr;
  g_signal_connect(loader.get(), "size-prepared", G_CALLBACK(on_size_prepared), &loading);
  bool ok = true;
  for (size_t at = 0; ok && at < bytes.size(); at += kChunk)
    ok = gdk_pixbuf_loader_write(loader.get(), bytes.data() + at,
                                 std::min(kChunk, bytes.size() - at), &error) &&
         !loading.limit.is_refused(loading.size);
  // The loader of JPEG waits for the mark of the end, which may be missing.
  static constexpr guchar kEnd[] = {0xff, 0xd9};
  if (ok && std::strcmp(format.type, "image/jpeg") == 0)
    ok = gdk_pixbuf_loader_write(loader.get(), kEnd, sizeof kEnd, &error);
  // A loader must always be closed; the first error is the one that gives the reason.
  if (!gdk_pixbuf_loader_close(loader.get(), error ? nullptr : &error)) ok = false;
  const std::string reason = ok ? "" : take(error, format.type);
  loading.limit.check(loading.size);
  if (!ok) fail(reason);
  return loader;
}

/// Turns a picture as its file says. @param orientation as in PhotoFormat
Pixbuf upright(GdkPixbuf* pixbuf, int orientation) {
  if (orientation > 1)
    gdk_pixbuf_set_option(pixbuf, "orientation", std::to_string(orientation).c_str());
  Pixbuf turned(gdk_pixbuf_apply_embedded_orientation(pixbuf));
  if (!turned) fail("not enough memory to rotate it");
  return turned;
}

PhotoSize size_of(const Pixbuf& pixbuf) {
  return {gdk_pixbuf_get_width(pixbuf.get()), gdk_pixbuf_get_height(pixbuf.get())};
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

/// Throws Error if it is none that has a loader, or if bytes are missing.
PhotoFormat known_format(Bytes bytes) {
  if (bytes.empty()) fail("the file is empty");
  const PhotoFormat format = photo_format(bytes);
  if (!format.type) fail("it is not a JPEG, PNG, WebP, TIFF, BMP, GIF, HEIF or AVIF picture");
  if (!format.is_whole(bytes)) fail("the file ends too early");
  return format;
}

/// Goes through the pictures of an animation.
class Animation {
 public:
  explicit Animation(GdkPixbufLoader* loader) {
    GdkPixbufAnimation* animation = gdk_pixbuf_loader_get_animation(loader);
    if (!animation) fail("it contains no picture");
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    at_.reset(gdk_pixbuf_animation_get_iter(animation, &now_));
    if (!at_) fail("the animation cannot be decoded");  // the loader of WebP has refused it
    // The loader of WebP shows a picture a moment longer than it says.
    g_time_val_add(&now_, 1000);
    G_GNUC_END_IGNORE_DEPRECATIONS
  }

  /// A copy, because the next picture may be drawn over this one.
  Pixbuf picture() const {
    GdkPixbuf* shown = gdk_pixbuf_animation_iter_get_pixbuf(at_.get());
    Pixbuf copy(shown ? gdk_pixbuf_copy(shown) : nullptr);
    if (!copy) fail("a picture of the animation cannot be decoded");
    return copy;
  }

  void next() {
    const int delay = gdk_pixbuf_animation_iter_get_delay_time(at_.get());
    if (delay < 0) fail("the animation ends too early");
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    g_time_val_add(&now_, glong{1000} * delay);
    gdk_pixbuf_animation_iter_advance(at_.get(), &now_);
    G_GNUC_END_IGNORE_DEPRECATIONS
  }

 private:
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  GTimeVal now_{0, 0};
  G_GNUC_END_IGNORE_DEPRECATIONS
  std::unique_ptr<GdkPixbufAnimationIter, Unref> at_;
};

}  // namespace

PhotoFacts decode_photo(Bytes bytes, const PhotoLimits& limits, const TilePictures* pictures,
                        const MakePhoto& make) {
  const PhotoFormat format = known_format(bytes);
  Loading loading{{limits, format, pictures}, {}};
  loading.limit.check(format.size(bytes));
  PhotoFacts facts;
  facts.is_animated = format.is_animated(bytes);
  const PixbufLoader loader = load(bytes, format, loading);
  GdkPixbuf* stored = gdk_pixbuf_loader_get_pixbuf(loader.get());
  if (!stored) fail("it contains no picture");
  facts.profile = convert_to_srgb(stored, format.profile(bytes), format.colours(bytes));
  const Pixbuf pixbuf = upright(stored, format.orientation(bytes));
  const PhotoSize size = size_of(pixbuf);
  if (!loading.limit.is_allowed(loading.size)) facts.full_size = loading.size;
  copy_over_white(pixbuf.get(), make(size.width, size.height));
  return facts;
}

void decode_photo(Bytes bytes, const MakePhoto& make) {
  decode_photo(bytes, kTileLimits, nullptr, make);
}

void decode_animation(Bytes bytes, const PhotoLimits& limits, int first, const TakePicture& take) {
  const PhotoFormat format = known_format(bytes);
  Loading loading{{limits, format, nullptr}, {}};
  loading.limit.check(format.size(bytes));
  if (!format.is_within_edges(bytes))
    fail("a picture of the animation is empty, or reaches beyond the edges of the animation");
  const PixbufLoader loader = load(bytes, format, loading);
  Animation animation(loader.get());
  const FileBytes profile = format.profile(bytes);
  const PhotoColours colours = format.colours(bytes);
  const int orientation = format.orientation(bytes);
  std::vector<uint8_t> rgb;
  const int count = static_cast<int>(format.delays(bytes).size());
  for (int i = 0; i < count; ++i) {
    if (i > 0) animation.next();
    if (i < first) continue;
    const Pixbuf stored = animation.picture();
    convert_to_srgb(stored.get(), profile, colours);
    const Pixbuf pixbuf = upright(stored.get(), orientation);
    const PhotoSize size = size_of(pixbuf);
    rgb.resize(static_cast<size_t>(3 * size.pixels()));
    copy_over_white(pixbuf.get(), rgb.data());
    if (!take(size, rgb.data())) return;
  }
}

}  // namespace mosaic
