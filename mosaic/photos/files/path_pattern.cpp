// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/files/path_pattern.h"

#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <system_error>
#include <utility>

#include "mosaic/base/error.h"
#include "mosaic/photos/files/image_names.h"

namespace mosaic {
namespace {

namespace fs = std::filesystem;

bool exists(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0;
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_wildcard(char c) {
  return c == '*' || c == '?' || c == '[';
}

bool is_link_to_folder(const std::string& path) {
  std::error_code error;
  return fs::is_symlink(path, error) && fs::is_directory(path, error);
}

/// Replaces folders by what matches a part of the pattern in them, again and again.
class Search {
 public:
  explicit Search(const std::atomic<bool>& cancelled) : cancelled_(cancelled) {}

  /// @param part without slashes
  void descend(const std::string& part) {
    std::vector<std::string> found;
    for (const std::string& prefix : prefixes_) {
      const std::string literal = prefix + part;
      if (is_path_pattern(part) && !exists(literal))
        list(prefix, part, found);
      else if (matched_ && is_link_to_folder(literal))
        ++links_;
      else
        found.push_back(literal);
    }
    matched_ |= is_path_pattern(part);
    prefixes_ = std::move(found);
  }

  /// After each part but the last, the slash that follows it.
  void append_slash() {
    for (std::string& prefix : prefixes_) prefix += '/';
  }

  MatchingPaths take() {
    std::erase_if(prefixes_, [](const std::string& path) { return !exists(path); });
    std::sort(prefixes_.begin(), prefixes_.end());
    return {std::move(prefixes_), links_};
  }

 private:
  void list(const std::string& prefix, const std::string& part, std::vector<std::string>& found) {
    std::error_code error;
    fs::directory_iterator at(prefix.empty() ? "." : prefix, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
      if (cancelled_) throw Error(Error::Kind::kCancelled, "loading the photos was cancelled");
      const std::string name = at->path().filename().native();
      if (fnmatch(part.c_str(), name.c_str(), FNM_PERIOD) != 0) continue;
      if (is_wildcard(part[0]) && is_left_out_folder(name) && is_folder(prefix + name)) continue;
      if (is_link_to_folder(prefix + name))
        ++links_;
      else
        found.push_back(prefix + name);
    }
  }

  const std::atomic<bool>& cancelled_;
  std::vector<std::string> prefixes_ = {""};
  bool matched_ = false;  ///< a part before this one was a pattern
  int links_ = 0;
};

}  // namespace

bool is_path_pattern(const std::string& path) {
  return path.find_first_of("*?[") != std::string::npos;
}

MatchingPaths match_paths(const std::string& pattern, const std::atomic<bool>& cancelled) {
  if (pattern.size() >= PATH_MAX)
    throw Error(Error::Kind::kSettings,
                "the pattern '" + pattern.substr(0, 60) + "...' is longer than a path may be");
  Search search(cancelled);
  size_t start = 0;
  for (size_t slash; (slash = pattern.find('/', start)) != std::string::npos; start = slash + 1) {
    search.descend(pattern.substr(start, slash - start));
    search.append_slash();
  }
  search.descend(pattern.substr(start));
  return search.take();
}

}  // namespace mosaic
