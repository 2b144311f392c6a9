// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <glib.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mosaic_program {

/// Every property of the element that can be set, as an option of the same name. They are known
/// without the element (property_table()).
class PropertyOptions {
 public:
  PropertyOptions();
  ~PropertyOptions();
  PropertyOptions(const PropertyOptions&) = delete;
  PropertyOptions& operator=(const PropertyOptions&) = delete;

  /// Adds the options to a parser, in groups. This object must outlive it.
  void add_to(GOptionContext* parser);

  /// The properties that were given and their values, in their order.
  const std::vector<std::pair<std::string, std::string>>& given() const;

  /// The names of the options.
  static std::vector<std::string> names();
  /// All of them with what they do, what is allowed and what is their default.
  static std::string help();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mosaic_program
