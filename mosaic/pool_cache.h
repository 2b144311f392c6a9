// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mosaic/pool.h"

namespace mosaic {

/// What a pool consists of, in memory of its own or in a mapped cache file.
struct Pool::Storage {
  struct Skipped {
    int index;           ///< of the photo source
    std::string reason;  ///< the warning
  };
  int side = 0;
  int draw_side = 0;
  mt::TileVariants variants;
  std::vector<std::string> names;  ///< [photos]
  std::vector<Skipped> skipped;    ///< ascending
  std::span<const uint8_t> pixels;
  std::span<const int16_t> features, remainders;
  std::span<const mt::CellStats> stats;
  std::span<const uint8_t> grays;
  std::shared_ptr<const void> memory;  ///< what the spans look at
};

/// The place in the cache folder of one prepared pool: a file named after a hash of all that the
/// pool is made from. Nothing here is an error: what cannot be read, or is not what was written, is
/// a miss, and what cannot be written is left. Several processes may use the folder at once.
///
/// A file is checked from end to end when it is opened and then read through a memory map, so that
/// someone who cuts it short while a pool is in use ends the program with SIGBUS. The cache itself
/// only ever replaces or unlinks whole files, which does no harm to a map.
class PoolCache {
 public:
  /// @param analysis a number that changes when the features of a tile are computed otherwise
  PoolCache(const PhotoSource& source, const PoolOptions& options, uint64_t analysis);

  /// The pool, or null.
  std::shared_ptr<const Pool::Storage> load() const;

  /// Keeps a pool, and removes the pools that were not used for longest while there are more than
  /// kMaxFiles or kMaxBytes of them.
  void store(const Pool::Storage& pool) const;

  /// Where the file is or would be; empty where nothing is cached.
  const std::string& path() const { return path_; }

  static constexpr size_t kMaxFiles = 16;
  static constexpr uint64_t kMaxBytes = uint64_t{2} << 30;

 private:
  struct Header;
  bool is_ours(const Header& header) const;
  std::shared_ptr<const Pool::Storage> read(const std::shared_ptr<const void>& memory,
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
