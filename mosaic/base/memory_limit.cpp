// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/base/memory_limit.h"

#include <unistd.h>

#include <cstdio>

#include "mosaic/base/error.h"

namespace mosaic {
namespace {

std::string gigabytes(uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", static_cast<double>(bytes) / 1e9);
  return text;
}

}  // namespace

uint64_t memory_limit() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return UINT64_MAX;  // unknown
  return static_cast<uint64_t>(pages) * static_cast<uint64_t>(page) / 4 * 3;
}

void check_memory(uint64_t bytes, const std::string& what, const std::string& hint,
                  uint64_t limit) {
  if (bytes <= limit) return;
  throw Error(Error::Kind::kSettings,
              what + " would take " + gigabytes(bytes) + " of memory, more than " +
                  gigabytes(limit) + ", three quarters of this machine's",
              hint);
}

}  // namespace mosaic
