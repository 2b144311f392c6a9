// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <glib.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace fuzz {

/// A file in a new temporary folder (below $TMPDIR), for code that reads its input from a path.
/// Both are removed by the destructor.
class InputFile {
 public:
  /// @param name of the file; empty: the folder only
  explicit InputFile(const std::string& name) {
    gchar* folder = g_dir_make_tmp("mosaictemporal-fuzz-XXXXXX", nullptr);
    if (!folder) std::abort();
    folder_ = folder;
    g_free(folder);
    path_ = folder_ / name;
  }
  ~InputFile() {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::string folder() const { return folder_; }
  const std::string& path() const { return path_; }
  /// Replaces the content of the file.
  void write(const uint8_t* data, size_t size) const { write_file(path_, data, size); }

  static void write_file(const std::string& path, const uint8_t* data, size_t size) {
    FILE* file = std::fopen(path.c_str(), "wb");
    if (!file || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0) std::abort();
  }

 private:
  std::filesystem::path folder_;
  std::string path_;
};

}  // namespace fuzz
