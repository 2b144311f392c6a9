// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/base/read_file.h"

#include <fcntl.h>
#include <glib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "mosaic/base/error.h"

namespace mosaic {
namespace {

constexpr size_t kChunk = 64 * 1024;

class File {
 public:
  // Non-blocking, as opening a FIFO without a writer would hang otherwise.
  explicit File(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

std::string size_text(int64_t bytes) {
  constexpr int64_t kGiB = 1 << 30;
  return bytes % kGiB ? std::to_string(bytes / 1024) + " KiB"
                      : std::to_string(bytes / kGiB) + " GiB";
}

[[noreturn]] void fail(const std::string& why) {
  throw Error(Error::Kind::kRead, why);
}

}  // namespace

std::vector<uint8_t> read_file(const std::string& path, int64_t max_bytes) {
  const File file(path);
  struct stat info {};
  if (file.fd() < 0 && errno == ENOENT) throw Error(Error::Kind::kNotFound, g_strerror(ENOENT));
  if (file.fd() < 0 || fstat(file.fd(), &info) != 0) fail(g_strerror(errno));
  if (!S_ISREG(info.st_mode)) fail("it is not a regular file");
  if (info.st_size > max_bytes) fail("the file is larger than " + size_text(max_bytes));
  std::vector<uint8_t> bytes(static_cast<size_t>(info.st_size));
  size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = read(file.fd(), bytes.data() + have, std::min(bytes.size() - have, kChunk));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(g_strerror(errno));
    if (got == 0) break;
    have += static_cast<size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

}  // namespace mosaic
