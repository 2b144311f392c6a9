// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <stdexcept>
#include <string>

namespace mosaic {

/// A failure that the user can do something about: what is wrong, and a hint what to do.
class Error : public std::runtime_error {
 public:
  enum class Kind { kNotFound, kRead, kSettings, kCancelled, kWrite, kFormat };
  Error(Kind kind, const std::string& what, std::string hint = {})
      : std::runtime_error(what), kind_(kind), hint_(std::move(hint)) {}
  Kind kind() const { return kind_; }
  const std::string& hint() const { return hint_; }

 private:
  Kind kind_;
  std::string hint_;
};

}  // namespace mosaic
