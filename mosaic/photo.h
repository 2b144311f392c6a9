// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mosaic {

/// One decoded photo: packed 8-bit RGB, rows without padding, EXIF orientation applied.
struct Photo {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;  ///< [height][width][3]
};

/// Where photos come from: a folder, a video, a generator.
class PhotoSource {
 public:
  virtual ~PhotoSource() = default;
  /// Photos there may be; fixed for the life of the source.
  virtual int count() const = 0;
  /// The photo's name for messages: a path, or what stands in for one.
  virtual std::string name(int index) const = 0;
  /// A text that differs whenever the decoded photo could differ (path, size, time): what the
  /// cache is keyed on. Empty: the source cannot tell, and is not cached.
  virtual std::string fingerprint(int index) const = 0;
  /// Decodes one photo. Throws Error for a broken one. Called from several threads at once.
  virtual Photo decode(int index) const = 0;
};

/// Whether a file of this name (or path) is taken for an image. What counts is its extension, in
/// any case: jpg, jpeg, jpe, png, webp, tif, tiff, bmp, gif.
bool is_image_name(std::string_view name);

/// A photo source over an image file or a folder, searched recursively for files with the name of
/// an image, in order of the bytes of the path. Hidden files and folders are left out; symbolic
/// links are followed, a folder is searched once. Names are absolute paths. What cannot be read
/// within the folder is a photo that fails to decode. Throws Error: kNotFound when the path does
/// not exist or holds no image file, kRead when the folder cannot be read.
std::unique_ptr<PhotoSource> open_photo_folder(const std::string& path);

/// The built-in pool: procedural pictures that cover the colour space, the same on every machine.
std::unique_ptr<PhotoSource> make_procedural_photos();

}  // namespace mosaic
