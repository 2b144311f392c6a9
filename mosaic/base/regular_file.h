// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <string>

namespace mosaic {

/// A regular file that is open for reading.
class RegularFile {
 public:
  /// Throws Error, whose text is the reason without the path: kNotFound if there is no such file;
  /// kRead if it cannot be opened or is not a regular file (a folder, a FIFO).
  explicit RegularFile(const std::string& path);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  int fd() const { return fd_; }
  size_t size() const { return size_; }  ///< bytes when it was opened

 private:
  int fd_;
  size_t size_ = 0;
};

/// Reads bytes of a file from a position on, in as many calls as that takes. Returns their number:
/// fewer than asked for where the file ends. Throws Error (kRead), whose text is the reason alone.
size_t read_at(int fd, void* to, size_t size, size_t position);

/// Writes bytes at a file's position, in as many calls as that takes. @return whether all were
/// written; if not, errno says why
bool write_all(int fd, const void* data, size_t size);

}  // namespace mosaic
