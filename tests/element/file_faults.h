// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace element_test {

/// Lets one call of the file system fail, as on a full disk or one that is lost: of all calls in
/// this process that open, write, sync or rename files below a folder, counted from 0.
///
/// The program that links this replaces the C library's functions, for its libraries too: it has to
/// export its symbols.
class FileFault {
 public:
  FileFault(const std::string& folder, int call, int error);
  ~FileFault();
  FileFault(const FileFault&) = delete;
  FileFault& operator=(const FileFault&) = delete;

  /// Whether there were so many calls.
  bool happened() const;
};

}  // namespace element_test
