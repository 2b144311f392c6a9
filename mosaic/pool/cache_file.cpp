// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/cache_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>

namespace mosaic {
namespace {

// In pages of this size, which x86-64 and AArch64 have, a large file is read several times as fast.
constexpr size_t kHugePage = size_t{2} << 20;
// Read at once. Even a slow disk takes less than a tenth of a second for it.
constexpr size_t kReadAtOnce = size_t{4} << 20;

struct Free {
  void operator()(uint8_t* bytes) const { std::free(bytes); }
};

}  // namespace

CacheFile::CacheFile(const std::string& path) : file_(path) {
  futimens(file_.fd(), nullptr);
}

bool CacheFile::read(void* to, size_t size, const mt::Cancellation& cancellation) const {
  for (size_t have = 0; have < size; have += kReadAtOnce) {
    cancellation.check();
    const size_t block = std::min(size - have, kReadAtOnce);
    if (read_at(file_.fd(), static_cast<uint8_t*>(to) + have, block, have) != block) return false;
  }
  return true;
}

std::shared_ptr<const uint8_t> CacheFile::read_all(const mt::Cancellation& cancellation) const {
  const size_t pages = (size() + kHugePage - 1) / kHugePage * kHugePage;
  std::unique_ptr<uint8_t, Free> bytes(static_cast<uint8_t*>(std::aligned_alloc(kHugePage, pages)));
  if (!bytes) return nullptr;
  madvise(bytes.get(), pages, MADV_HUGEPAGE);
  if (!read(bytes.get(), size(), cancellation)) return nullptr;
  return bytes;
}

}  // namespace mosaic
