// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/base/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "mosaic/base/error.h"

namespace mosaic {

// Non-blocking, as opening a FIFO without a writer would hang otherwise.
RegularFile::RegularFile(const std::string& path)
    : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  if (fd_ < 0)
    throw Error(errno == ENOENT ? Error::Kind::kNotFound : Error::Kind::kRead,
                std::strerror(errno));
  struct stat info {};
  std::string why;
  if (fstat(fd_, &info) != 0)
    why = std::strerror(errno);
  else if (!S_ISREG(info.st_mode))
    why = "it is not a regular file";
  size_ = static_cast<size_t>(info.st_size);
  if (why.empty()) return;
  close(fd_);
  throw Error(Error::Kind::kRead, why);
}

RegularFile::~RegularFile() {
  close(fd_);
}

size_t read_at(int fd, void* to, size_t size, size_t position) {
  size_t have = 0;
  while (have < size) {
    const ssize_t got = pread(fd, static_cast<uint8_t*>(to) + have, size - have,
                              static_cast<off_t>(position + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(Error::Kind::kRead, std::strerror(errno));
    if (got == 0) break;
    have += static_cast<size_t>(got);
  }
  return have;
}

bool write_all(int fd, const void* data, size_t size) {
  for (const auto* from = static_cast<const char*>(data); size > 0;) {
    const ssize_t put = write(fd, from, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    from += put;
    size -= static_cast<size_t>(put);
  }
  return true;
}

}  // namespace mosaic
