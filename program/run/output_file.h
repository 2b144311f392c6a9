// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

#include "program/options/options.h"

namespace mosaic_program {

/// The file that the user asked for. Until it is complete it is written under another name, so that
/// an older file is lost only to a complete one. Pictures with numbers in their names, devices and
/// pipes are written in place.
class OutputFile {
 public:
  /// Throws Failure if no file can be made there, or if it is what is read.
  explicit OutputFile(const Options& options);
  /// Removes the file with the other name, unless keep() or keep_part() was called. What is written
  /// in place stays.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// The name to write to.
  const std::string& path() const { return path_; }
  /// Whether it has another name than the user gave until it is complete.
  bool has_other_name() const { return path_ != target_; }

  /// Takes the name for this process. Throws Failure if another process writes to it.
  /// @return where a part is that an earlier process left there; empty: there was none
  std::string begin();
  /// The file is complete, and gets the name that the user gave. Throws Failure if it cannot be
  /// renamed.
  void keep();
  /// Only a part was written. It does not replace an older file, unless `force` is set.
  /// @return its name
  std::string keep_part(bool force);

 private:
  void rename_to(const std::string& name);

  std::string target_, path_;
  int lock_ = -1;
};

}  // namespace mosaic_program
