// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/cache_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace mosaic {
namespace {

// In pages of this size, which x86-64 and AArch64 have, a large file is read several times as fast.
constexpr size_t kHugePage = size_t{2} << 20;
// Read at once. Even a slow disk takes less than a tenth of a second for it.
constexpr size_t kBlock = size_t{4} << 20;

struct Free {
  void operator()(uint8_t* bytes) const { std::free(bytes); }
};

}  // namespace

// Non-blocking, as opening a FIFO without a writer would hang otherwise.
CacheFile::CacheFile(const std::string& path)
    : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  struct stat info {};
  if (fd_ < 0 || fstat(fd_, &info) != 0 || !S_ISREG(info.st_mode)) return;
  size_ = static_cast<size_t>(info.st_size);
  futimens(fd_, nullptr);
}

CacheFile::~CacheFile() {
  if (fd_ >= 0) close(fd_);
}

bool CacheFile::read(void* to, size_t size, const mt::Cancellation& cancellation) const {
  for (size_t have = 0; have < size;) {
    cancellation.check();
    const ssize_t got = pread(fd_, static_cast<uint8_t*>(to) + have, std::min(size - have, kBlock),
                              static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    have += static_cast<size_t>(got);
  }
  return true;
}

std::shared_ptr<const uint8_t> CacheFile::read_all(const mt::Cancellation& cancellation) const {
  const size_t pages = (size_ + kHugePage - 1) / kHugePage * kHugePage;
  std::unique_ptr<uint8_t, Free> bytes(static_cast<uint8_t*>(std::aligned_alloc(kHugePage, pages)));
  if (!bytes) return nullptr;
  madvise(bytes.get(), pages, MADV_HUGEPAGE);
  if (!read(bytes.get(), size_, cancellation)) return nullptr;
  return bytes;
}

}  // namespace mosaic
