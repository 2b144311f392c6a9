// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/pool/cache_folder.h"

#include <glib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <vector>

namespace mosaic {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "mosaictemporal-";

bool is_temporary(std::string_view name) {
  return name.find(kTemporarySuffix) != std::string_view::npos;
}

bool is_cache_name(std::string_view name, std::string_view suffix) {
  return name.starts_with(kPrefix) && (name.ends_with(suffix) || is_temporary(name));
}

}  // namespace

std::string cache_file_name(const std::string& folder, const std::array<uint64_t, 2>& key,
                            std::string_view suffix) {
  char name[33];
  g_snprintf(name, sizeof name, "%016" G_GINT64_MODIFIER "x%016" G_GINT64_MODIFIER "x", key[1],
             key[0]);
  return folder + "/" + std::string(kPrefix) + name + std::string(suffix);
}

void prune_cache(const std::string& folder, std::string_view suffix, const std::string& used) {
  struct File {
    std::string path;
    fs::file_time_type used;
    uint64_t bytes;
  };
  std::vector<File> files;
  size_t count = 0;
  uint64_t bytes = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const std::string path = at->path().native();
    const std::string name = at->path().filename().native();
    if (!is_cache_name(name, suffix)) continue;
    std::error_code gone;
    const File file{path, at->last_write_time(gone), at->file_size(gone)};
    if (gone) continue;
    if (path == used) {
      ++count;
      bytes += file.bytes;
    } else if (!is_temporary(name)) {
      files.push_back(file);
    } else if (now - file.used > std::chrono::hours(1)) {
      fs::remove(path, gone);  // left by a process that ended while writing
    }
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.used > b.used; });
  for (const File& file : files) {
    bytes += file.bytes;
    if (++count <= kMaxCacheFiles && bytes <= kMaxCacheBytes) continue;
    std::error_code gone;
    fs::remove(file.path, gone);
  }
}

}  // namespace mosaic
