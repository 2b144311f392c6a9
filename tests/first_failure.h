// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>

namespace test {

/// Checks many things in a loop and asserts once after it: an assertion of GoogleTest is slow, many
/// times slower under a sanitizer.
///
///     FirstFailure f;
///     for (...) f.check(a[i] <= b[i], [&] { return "at " + std::to_string(i); });
///     ASSERT_TRUE(f.none());
class FirstFailure {
 public:
  /// @param where says what failed, as a string; called for the first failure alone
  template <class Where>
  void check(bool holds, Where where) {
    if (!holds && failures_++ == 0) first_ = where();
  }
  testing::AssertionResult none() const {
    if (failures_ == 0) return testing::AssertionSuccess();
    return testing::AssertionFailure() << failures_ << " failures, the first: " << first_;
  }

 private:
  int64_t failures_ = 0;
  std::string first_;
};

/// The values with spaces between them, for messages.
template <class... Values>
std::string text_of(const Values&... values) {
  std::ostringstream text;
  ((text << values << ' '), ...);
  return text.str();
}

}  // namespace test
