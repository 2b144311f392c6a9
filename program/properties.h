// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <glib.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mosaic_program {

/// Every property of the element that can be set, as an option of the same name.
class PropertyOptions {
 public:
  /// Throws Failure if the element is not installed.
  PropertyOptions();
  ~PropertyOptions();
  PropertyOptions(const PropertyOptions&) = delete;
  PropertyOptions& operator=(const PropertyOptions&) = delete;

  /// The options. The parser that they are added to owns them; this object must outlive it.
  GOptionGroup* make_group();

  /// The properties that were given and their values, in their order.
  const std::vector<std::pair<std::string, std::string>>& given() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mosaic_program
