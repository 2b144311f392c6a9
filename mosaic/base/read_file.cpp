// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/base/read_file.h"

#include "mosaic/base/error.h"
#include "mosaic/base/regular_file.h"

namespace mosaic {
namespace {

std::string size_text(int64_t bytes) {
  constexpr int64_t kGiB = 1 << 30;
  return bytes % kGiB ? std::to_string(bytes / 1024) + " KiB"
                      : std::to_string(bytes / kGiB) + " GiB";
}

}  // namespace

std::vector<uint8_t> read_file(const std::string& path, int64_t max_bytes) {
  const RegularFile file(path);
  if (file.size() > static_cast<size_t>(max_bytes))
    throw Error(Error::Kind::kRead, "the file is larger than " + size_text(max_bytes));
  std::vector<uint8_t> bytes(file.size());
  bytes.resize(read_at(file.fd(), bytes.data(), bytes.size(), 0));
  return bytes;
}

}  // namespace mosaic
