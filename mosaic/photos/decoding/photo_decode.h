// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "mosaic/photos/formats/photo_format.h"
#include "mosaic/photos/formats/photo_limits.h"
#include "mosaic/photos/tile_pictures.h"

namespace mosaic {

/// What was found in a file beside the picture.
struct PhotoFacts {
  bool is_animated = false;
  PhotoSize full_size;  ///< of a photo that was decoded smaller; 0: it was not
  std::string profile;  ///< of the colours, if they were converted to sRGB; empty: they were not
};

/// Provides the memory for a decoded photo: [height][width][3: R, G, B], without padding.
using MakePhoto = std::function<uint8_t*(int width, int height)>;

/// Decodes the contents of an image file with gdk-pixbuf: JPEG, PNG, WebP, TIFF, BMP, GIF, HEIF or
/// AVIF, recognised by its first bytes.
///
/// The EXIF orientation is applied. Colours of another colour profile are converted to sRGB. Of an
/// animation the first frame is taken. Grey, palette and 16-bit pictures become 8-bit RGB.
/// Transparent parts are laid over white, as on paper and in most viewers.
///
/// The loaders run in the calling process, where a hostile file can take any amount of memory and
/// time, or find a fault in a loader: so only the program of PhotoDecoder (photo_decoder.h) calls
/// this.
/// @param pictures what the photo is decoded for: a JPEG may be decoded as much smaller as
///                 divisor_for() says; null: as large as it is
/// @param make     is called once, after the photo was decoded
/// Throws Error, with the reason alone: kFormat if the format's loader is not installed; kRead if
/// `bytes` have none of these formats, end too early, or have more pixels than the limits allow
/// (checked before memory for them is allocated, except of HEIF and AVIF). May be called from
/// several threads at once.
PhotoFacts decode_photo(FileBytes bytes, const PhotoLimits& limits, const TilePictures* pictures,
                        const MakePhoto& make);
/// With the limits of a tile's photo, as large as it is.
void decode_photo(FileBytes bytes, const MakePhoto& make);

/// Takes a picture of an animation: [height][width][3: R, G, B], without padding.
/// @return whether more are wanted
using TakePicture = std::function<bool(PhotoSize size, const uint8_t* rgb)>;

/// Decodes the pictures of an animation in their order, as decode_photo() decodes the first one.
/// Each is whole: it has what stays of those before it.
/// @param first those before it, counted from 0, are left out
/// Throws Error as decode_photo() does, and kRead if the loader does not give every picture that
/// PhotoFormat::delays promises. Pictures may have been taken before.
void decode_animation(FileBytes bytes, const PhotoLimits& limits, int first,
                      const TakePicture& take);

}  // namespace mosaic
