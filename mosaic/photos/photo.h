// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mosaic/base/content_hash.h"
#include "mosaic/base/shape.h"

namespace mosaic {

/// One decoded photo: packed 8-bit RGB, rows without padding, EXIF orientation applied.
struct Photo {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgb;  ///< [height][width][3]
  Shape pixel = {};
};

/// The same, in memory that belongs to someone else.
struct PhotoView {
  int width = 0;
  int height = 0;
  const uint8_t* rgb = nullptr;  ///< [height][width][3]
  Shape pixel = {};

  PhotoView(int w, int h, const uint8_t* pixels) : width(w), height(h), rgb(pixels) {}
  PhotoView(const Photo& photo)  // NOLINT: a photo is one
      : width(photo.width), height(photo.height), rgb(photo.rgb.data()), pixel(photo.pixel) {}
};

struct TilePictures;  // tile_pictures.h

/// Where photos come from: a folder, a video, a generator.
class PhotoSource {
 public:
  virtual ~PhotoSource() = default;
  /// Number of photos, including those that cannot be decoded; fixed for the life of the source.
  virtual int count() const = 0;
  /// The photo's name for messages: a path, or a text in place of one.
  virtual std::string name(int index) const = 0;
  /// A text that differs whenever the decoded photo could differ (path, size, time). The key of the
  /// cache is made from it. Empty: the source has no such text, and is not cached.
  virtual std::string fingerprint(int index) const = 0;
  /// A text that changes when photos that could not be decoded may be decoded now.
  virtual std::string loaders() const { return {}; }
  /// Whether a photo is a file, whose decoding takes so long that its pictures are kept in the
  /// cache one by one.
  virtual bool is_file([[maybe_unused]] int index) const { return false; }
  /// Decodes one photo. Throws Error for a broken one. Called from several threads at once.
  virtual Photo decode(int index) const = 0;
  /// Decodes one photo, perhaps smaller than it is, and makes the pictures of it that tiles need.
  /// Throws as decode() does. Called from several threads at once.
  virtual void prepare(int index, const TilePictures& pictures) const;
  /// The shape of a whole photo on the display. Throws as decode() does.
  virtual Shape shape(int index) const;
  /// The hash of the pack that has exactly these photos, in this order; nullopt: there is none.
  virtual std::optional<ContentHash> pack_hash() const { return {}; }
  /// Photos that the source found but left out because no loader reads their format: their number
  /// and format ("12 HEIC files"); empty: none.
  virtual std::string unsupported() const { return {}; }
  /// The number of symbolic links to folders that the source found and did not follow.
  virtual int links() const { return 0; }
};

/// Collects image files, and folders that are searched recursively for files with the name of an
/// image, for one photo source. Hidden files and folders are left out, and folders of previews and
/// deleted files (is_left_out_folder() in image_names.h). Within a folder, symbolic
/// links to files are followed; links to folders are not, as these could lead to all files of the
/// machine. A file or folder within a folder that cannot be read counts as a photo that fails to
/// decode.
class PhotoFiles {
 public:
  /// @param cancelled if it becomes true, the search and PhotoSource::decode() give up; must
  ///                  outlive the source
  explicit PhotoFiles(const std::atomic<bool>& cancelled);
  ~PhotoFiles();

  /// Adds an image file or a folder. Throws Error, and adds nothing: kNotFound when the path does
  /// not exist or holds no image file, kRead when the folder cannot be read, kCancelled.
  void add(const std::string& path);
  /// Adds a file or folder as if it had been found in a folder: what is no photo is left out.
  /// Throws Error: kCancelled.
  void add_found(const std::string& path);
  /// The number of photos until now; those that were added several times are counted as often.
  size_t count() const;

  /// The photos, each once, sorted by the bytes of their paths. Names are absolute paths. To be
  /// called once, last.
  std::unique_ptr<PhotoSource> open();

 private:
  class Scan;
  const std::atomic<bool>& cancelled_;
  std::unique_ptr<Scan> all_;
};

/// A photo source over one image file or folder. Parameters and exceptions are those of PhotoFiles.
std::unique_ptr<PhotoSource> open_photo_folder(const std::string& path,
                                               const std::atomic<bool>& cancelled);

/// The built-in pool: procedural pictures that cover the colour space, the same on every machine.
std::unique_ptr<PhotoSource> make_procedural_photos();

}  // namespace mosaic
