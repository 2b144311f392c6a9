// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace element_test {

/// Makes one file-system call of this process fail: of all that open, write, sync or rename files
/// below `folder`, number `call`, counted from 0. It sets errno to `error`.
///
/// The test program replaces these functions of the C library, also for the libraries that it
/// loads, so it must export its symbols.
class FileFault {
 public:
  FileFault(const std::string& folder, int call, int error);
  ~FileFault();
  FileFault(const FileFault&) = delete;
  FileFault& operator=(const FileFault&) = delete;

  /// Whether that call was reached.
  bool happened() const;
};

}  // namespace element_test
