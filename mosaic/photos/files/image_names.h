// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Which files are taken for photos. This depends on the extension of their names, in upper or
/// lower case, and on what gdk-pixbuf can read on this machine.
#pragma once

#include <string>
#include <string_view>

namespace mosaic {

/// Whether gdk-pixbuf has a loader for a media type ("image/avif").
bool has_loader(std::string_view media_type);

/// The loaders of gdk-pixbuf, as a text that differs where others are installed.
const std::string& loader_names();

/// Whether a file of this name (or path) is taken for an image: jpg, jpeg, jpe, jfif, png, webp,
/// tif, tiff, bmp, gif; heic, heif, hif and avif where there is a loader.
bool is_image_name(std::string_view name);

/// The format of a photo that cannot be read here, from its name: newer formats of phones, and raw
/// files of cameras.
/// @return the extension in upper case ("HEIC"); empty: the name is not that of such a photo
std::string unsupported_format(std::string_view name);

/// Whether a folder of this name, found in another folder, holds no photos of its own: it is
/// hidden, or one in which network drives and other systems keep previews and what was deleted.
bool is_left_out_folder(std::string_view name);

}  // namespace mosaic
