// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cuda/cancellation.h"

namespace mosaic {

/// A regular file that is read into memory. A memory map would take no memory of its own, but end
/// the program with SIGBUS when anyone truncates the file.
class CacheFile {
 public:
  /// Opens a file and sets its times to now.
  explicit CacheFile(const std::string& path);
  ~CacheFile();
  CacheFile(const CacheFile&) = delete;
  CacheFile& operator=(const CacheFile&) = delete;

  /// Bytes; 0: there is no regular file that can be opened.
  size_t size() const { return size_; }

  /// Reads the first `size` bytes to `to`; whether they could be read. Throws mt::Cancelled.
  bool read(void* to, size_t size, const mt::Cancellation& cancellation = {}) const;

  /// The whole file, at a multiple of 64 bytes; null if it cannot be read or there is not enough
  /// memory. Throws mt::Cancelled.
  std::shared_ptr<const uint8_t> read_all(const mt::Cancellation& cancellation) const;

 private:
  int fd_;
  size_t size_ = 0;
};

}  // namespace mosaic
