// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The folder that keeps what has been prepared for the next time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mosaic {

/// Of one kind.
inline constexpr size_t kMaxCacheFiles = 16;
inline constexpr uint64_t kMaxCacheBytes = uint64_t{2} << 30;

/// How the names of files end: whole pools, photos one by one, and files that are being written.
inline constexpr std::string_view kPoolSuffix = ".pool", kPhotosSuffix = ".photos",
                                  kTemporarySuffix = ".tmp-";

/// @param key a hash of all that the file is made from, the lower half first
std::string cache_file_name(const std::string& folder, const std::array<uint64_t, 2>& key,
                            std::string_view suffix);

/// Removes the least recently used files of a suffix while there are more than kMaxCacheFiles or
/// kMaxCacheBytes of them, and those that a process has left which ended while writing.
/// @param used a file that stays
void prune_cache(const std::string& folder, std::string_view suffix, const std::string& used);

}  // namespace mosaic
