// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

namespace element_test {

/// Makes one allocation of the plugin fail: by operator new, by malloc() and its relatives, by a
/// library that the plugin calls. Not counted are allocations after which the caller ends the
/// program if they fail: GLib's, except g_try_malloc() and the like, and those of std::filesystem.
///
/// The test program replaces these functions of the C library, also for the libraries that it
/// loads, so it must export its symbols.
class FailingMalloc {
 public:
  /// @param which number of the call that fails, counted from 0
  explicit FailingMalloc(int64_t which);
  ~FailingMalloc();
  FailingMalloc(const FailingMalloc&) = delete;
  FailingMalloc& operator=(const FailingMalloc&) = delete;

  /// Calls so far.
  int64_t allocations() const;

 private:
  int64_t which_;
};

}  // namespace element_test
