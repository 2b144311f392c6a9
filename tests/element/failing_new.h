// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

namespace element_test {

/// Makes one call of operator new by the plugin throw std::bad_alloc. The program that links this
/// has to export its symbols, as the plugin must use its operator new.
class FailingNew {
 public:
  /// @param which number of the call that fails, counted from 0
  explicit FailingNew(int64_t which);
  ~FailingNew();
  FailingNew(const FailingNew&) = delete;
  FailingNew& operator=(const FailingNew&) = delete;

  /// Calls so far.
  int64_t allocations() const;

 private:
  int64_t which_;
};

}  // namespace element_test
