// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "executor/cancellation.h"
#include "kernels/drawing/hue.h"
#include "mosaic/photos/photo.h"
#include "mosaic/pool/pool_data.h"

namespace mosaic {

/// The file of one prepared pool in the cache folder, named after a hash of all that the pool is
/// made from. No failure is an error: a file that cannot be read or is damaged is a cache miss, and
/// a pool that cannot be written is not cached. Several processes may use the folder at once.
///
/// A file is read into memory, so that nobody changes a pool that is in use by changing its file,
/// and checked from end to end: its checksum, and whether its numbers could be those of tiles.
class PoolCache {
 public:
  /// @param analysis a number that changes when the features of tiles are computed differently
  PoolCache(const PhotoSource& source, const PoolOptions& options, uint64_t analysis,
            const mt::Cancellation& cancellation = {});

  /// The pool; null: a cache miss. Throws mt::Cancelled.
  std::shared_ptr<const PoolData> load() const;

  /// Writes a pool to the cache, then removes what has not been used for long (cache_folder.h).
  /// Returns why it could not be written; empty: it was, or this pool is not cached. Throws
  /// mt::Cancelled, and then nothing was written.
  std::string store(const PoolData& pool) const;

  /// The cache folder; empty: nothing is cached.
  const std::string& folder() const { return folder_; }
  /// Where the file is or would be; empty: this pool is not cached.
  const std::string& path() const { return path_; }

 private:
  struct Header;
  /// Whether a file of `size` bytes with this header can be the file of this pool.
  bool matches(const Header& header, size_t size) const;
  std::shared_ptr<const PoolData> read(const std::shared_ptr<const uint8_t>& bytes,
                                       size_t size) const;

  const PhotoSource& source_;
  PoolOptions options_;
  mt::TileVariants variants_;
  mt::Cancellation cancellation_;
  uint64_t key_[2] = {0, 0};
  std::string folder_;
  std::string path_;
};

}  // namespace mosaic
