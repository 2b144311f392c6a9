// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What the bytes of an image file say before it is decoded. Nothing here calls a loader.
#pragma once

#include <cstdint>
#include <vector>

#include "mosaic/base/bytes.h"

namespace mosaic {

/// In pixels; 0 x 0: not known.
struct PhotoSize {
  int width = 0;
  int height = 0;
  int64_t pixels() const { return int64_t{width} * height; }
};

/// The colours of a picture without a colour profile.
enum class PhotoColours { kSrgb, kAdobeRgb, kDisplayP3 };

/// All functions take the whole file. They have defaults for formats whose loader needs no help.
struct PhotoFormat {
  const char* type = nullptr;  ///< media type ("image/jpeg")
  /// For most formats, the loaders of gdk-pixbuf report no error when a file ends too early: they
  /// return the picture with its missing part grey or transparent. So the file itself is checked.
  bool (*is_whole)(FileBytes) = [](FileBytes) { return true; };
  /// The largest picture that the loader would allocate memory for before it reports the size. The
  /// loaders of HEIF and AVIF report it after decoding, for which the memory of the process is
  /// limited.
  PhotoSize (*size)(FileBytes) = [](FileBytes) { return PhotoSize{}; };
  bool (*is_animated)(FileBytes) = [](FileBytes) { return false; };
  /// For how many milliseconds each picture of an animation is shown, where the loader gives more
  /// than the first; else empty, or a single time.
  std::vector<int> (*delays)(FileBytes) = [](FileBytes) { return std::vector<int>{}; };
  /// Whether all pictures of an animation lie within its edges. The loader of GIF writes beyond its
  /// memory where one does not (gdk-pixbuf 2.42, gdk_pixbuf_gif_anim_iter_get_pixbuf).
  bool (*is_within_edges)(FileBytes) = [](FileBytes) { return true; };
  /// The orientation as Exif numbers it, 1 to 8, for formats whose loader neither reports it (as
  /// those of JPEG and TIFF do) nor applies it (as those of HEIF and AVIF do); else 1: not turned.
  int (*orientation)(FileBytes) = [](FileBytes) { return 1; };
  /// The colour profile, where some version of the loader does not give it.
  FileBytes (*profile)(FileBytes) = [](FileBytes) { return FileBytes{}; };
  PhotoColours (*colours)(FileBytes) = [](FileBytes) { return PhotoColours::kSrgb; };
};

/// For how long browsers show a picture of an animation, ms: less than 20 ms count as 100.
/// @param delay what its file says, ms
inline int shown_for(int delay) {
  return delay < 20 ? 100 : delay;
}

/// The format of a picture from its first bytes; of HEIF and AVIF, 4096 bytes are enough.
/// @return type null: it is none of those that decode_photo() reads
PhotoFormat photo_format(FileBytes bytes);

}  // namespace mosaic
