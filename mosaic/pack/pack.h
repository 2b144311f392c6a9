// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "mosaic/base/bytes.h"
#include "mosaic/base/hash.h"
#include "mosaic/base/regular_file.h"
#include "mosaic/base/shape.h"
#include "mosaic/pack/pack_format.h"

namespace mosaic::pack {

/// A pack that is open for reading. Only its list of photos is in memory. The rest is read when it
/// is asked for, and compared with the hashes in that list, so that a file that is damaged or cut
/// off later is an error. May be used from several threads at once.
class Pack {
 public:
  /// kMayBeMissing: reads the chunks up to the first that is damaged or incomplete, and ignores the
  /// rest; for packs of which the making was interrupted. hash() is then that of these chunks.
  enum class End { kRequired, kMayBeMissing };

  /// Throws Error: kNotFound; kRead with what is wrong, and the file's name.
  explicit Pack(const std::string& path, End end = End::kRequired);

  /// Number of photos. Below they are numbered from 0; other numbers throw std::out_of_range.
  int count() const { return static_cast<int>(photos_.size()); }
  const std::string& name(int photo) const { return photos_.at(photo).name; }
  /// As PackedPhoto::source.
  uint64_t source(int photo) const { return photos_.at(photo).source; }
  const Hash& hash() const { return hash_; }
  /// Of the photos; their levels are squares nevertheless.
  const Shape& shape() const { return shape_; }
  /// Number of levels that the pack has of a photo, 3 to kLevels.
  int levels(int photo) const;

  /// A level of a photo, as PackedPhoto has it. @param level below levels()
  /// Throws Error (kRead), with the file's name, if it cannot be read or has another hash.
  std::vector<uint8_t> level(int photo, int level) const;

  /// Where the end begins or would begin, bytes from the beginning of the file.
  size_t end_of_chunks() const { return end_of_chunks_; }

 private:
  struct Photo {
    std::string name;
    uint64_t source;
    std::array<uint64_t, kLevels> at;  ///< where the levels are in the file; 0: none
    std::array<uint32_t, kLevels> bytes;
    std::array<uint64_t, kLevels> hashes;
  };

  struct ChunkHead {
    uint32_t count = 0;         ///< of photos
    uint64_t bytes = 0;         ///< of the whole chunk
    std::vector<uint8_t> list;  ///< entries and names
  };

  void read_shape(FileBytes header);
  ChunkHead read_head() const;
  static bool read_entry(FileBytes entry, FileBytes& names, uint64_t& next, Photo& photo);
  /// @return whether there was a chunk @param hash receives its photos
  bool read_chunk(HashState& hash);
  bool read_end();
  [[noreturn]] void fail(const std::string& why) const;
  std::vector<uint8_t> read(size_t at, size_t size) const;

  std::string path_;
  RegularFile file_;
  std::vector<Photo> photos_;
  size_t end_of_chunks_ = kHeaderBytes;
  Hash hash_;
  Shape shape_;
};

}  // namespace mosaic::pack
