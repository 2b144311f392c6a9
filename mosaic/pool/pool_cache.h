// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "cuda/drawing/hue.h"
#include "mosaic/photos/photo.h"
#include "mosaic/pool/pool_data.h"

namespace mosaic {

/// The file of one prepared pool in the cache folder, named after a hash of all that the pool is
/// made from. No failure is an error: a file that cannot be read or is damaged is a cache miss, and
/// a pool that cannot be written is not cached. Several processes may use the folder at once.
///
/// A file is checked from end to end when it is opened, and then read through a memory map. So if
/// anyone truncates it while the pool is in use, the program ends with SIGBUS. The cache itself
/// only replaces or unlinks whole files, which does no harm to a map.
class PoolCache {
 public:
  /// @param analysis a number that changes when the features of tiles are computed differently
  PoolCache(const PhotoSource& source, const PoolOptions& options, uint64_t analysis);

  /// The pool; null: a cache miss.
  std::shared_ptr<const PoolData> load() const;

  /// Writes a pool to the cache, then removes the least recently used pools while there are more
  /// than kMaxFiles or kMaxBytes of them. Returns why it could not be written; empty: it was, or
  /// this pool is not cached.
  std::string store(const PoolData& pool) const;

  /// Where the file is or would be; empty: this pool is not cached.
  const std::string& path() const { return path_; }

  static constexpr size_t kMaxFiles = 16;
  static constexpr uint64_t kMaxBytes = uint64_t{2} << 30;

 private:
  struct Header;
  bool is_ours(const Header& header) const;
  std::shared_ptr<const PoolData> read(const std::shared_ptr<const void>& memory,
                                       std::span<const uint8_t> file) const;
  void prune() const;

  const PhotoSource& source_;
  PoolOptions options_;
  mt::TileVariants variants_;
  uint64_t key_[2] = {0, 0};
  std::string folder_;
  std::string path_;
};

}  // namespace mosaic
