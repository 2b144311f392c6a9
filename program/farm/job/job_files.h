// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Files that several machines may read and write at once, without locks: a file gets its name only
/// when it is whole.
#pragma once

#include <glib.h>

#include <string>

namespace mosaic_program {

/// Throws TryAgain if it cannot be read.
std::string read_whole(const std::string& path);

/// Writes a file; an older one is replaced when the new one is whole. Throws TryAgain.
void write_whole(const std::string& path, const std::string& contents);

/// A name that no other process uses. @param name of a file, without its folder
std::string working_name(const std::string& name);

/// A file that is written under a name that no other process uses, and is removed unless it is
/// finished.
class WorkingFile {
 public:
  /// @param path its name when it is whole
  explicit WorkingFile(const std::string& path);
  ~WorkingFile();
  WorkingFile(const WorkingFile&) = delete;
  WorkingFile& operator=(const WorkingFile&) = delete;

  /// The name under which it is written; it has the extension of the other one.
  const std::string& name() const { return working_; }
  /// Gives it its name, when it is on the disk. Throws TryAgain.
  void finish() const;

 private:
  std::string path_, working_;
};

/// What a file holds: XXH3 with 128 bits, 32 hexadecimal digits. Throws TryAgain.
/// @param bytes its size
std::string hash_of_file(const std::string& path, guint64& bytes);

}  // namespace mosaic_program
