// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "mosaic/base/descriptor.h"
#include "mosaic/photos/photo.h"
#include "mosaic/photos/tile_pictures.h"

namespace mosaic {

/// The pictures of photos in the cache folder, each written as soon as it has been made: a load
/// that was interrupted, even by a crash, goes on where it was, and when one photo of a folder
/// changes, only that one is decoded again. (A whole pool, with its features, is read from
/// PoolCache.)
///
/// There is one file for each way of preparing photos, with a record for each photo of any folder.
/// Records are of one size, and each has a checksum, so that half a record, which a process leaves
/// that ends while it writes, and a damaged one cost one photo. Several processes may read and
/// write the file at once. It grows to kMaxCacheBytes (cache_folder.h); a full one is emptied if
/// less than half of it are photos of this load. No failure is an error: a record that cannot be
/// read is none, and after one that cannot be written no more are.
class PreparedPhotos {
 public:
  /// Photos with an empty fingerprint, and those that do not come from a file (see
  /// PhotoSource::is_file), have no record.
  /// @param folder the cache folder; empty: nothing is read or written
  PreparedPhotos(std::string folder, const PhotoSource& source, const TilePictures& pictures);

  /// The pictures of a photo, if there is a record of it. May be called by several threads.
  bool read(int photo, const TilePictures& pictures) const;
  /// Writes a record. May be called by several threads.
  void write(int photo, const TilePictures& pictures);

  /// Larger pictures are not kept: there would be gigabytes of them, here and in PoolCache.
  static constexpr size_t kMostBytes = size_t{1} << 20;

 private:
  struct Key {
    uint64_t part[2];
    auto operator<=>(const Key&) const = default;
  };
  struct Header;
  struct RecordHeader;
  void open(const Header& header);
  void find_records();
  void empty_if_full();
  bool append(std::span<const uint8_t> record) const;
  int64_t position_of(int64_t record) const;

  std::string path_;
  Descriptor file_;
  size_t record_bytes_ = 0;
  std::vector<Key> keys_;        ///< [photos]; both parts 0: the photo has no record
  std::vector<int64_t> record_;  ///< [photos]: the number of its record; -1: none
  std::mutex writing_;
  bool failed_ = false;  ///< guarded by writing_
};

}  // namespace mosaic
