// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "executor/cancellation.h"
#include "mosaic/base/regular_file.h"

namespace mosaic {

/// A regular file that is read into memory. A memory map would take no memory of its own, but would
/// end the program with SIGBUS when anyone truncates the file.
class CacheFile {
 public:
  /// Opens a file and sets its times to now. Throws as RegularFile does.
  explicit CacheFile(const std::string& path);

  size_t size() const { return file_.size(); }  ///< bytes

  /// Reads the first `size` bytes into `to`. Returns whether the file has so many. Throws
  /// mt::Cancelled, and Error (kRead).
  bool read(void* to, size_t size, const mt::Cancellation& cancellation = {}) const;

  /// The whole file, aligned to 64 bytes; null if it has become shorter or there is not
  /// enough memory. Throws as read() does.
  std::shared_ptr<const uint8_t> read_all(const mt::Cancellation& cancellation) const;

 private:
  RegularFile file_;
};

}  // namespace mosaic
