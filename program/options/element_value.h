// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gst/gst.h>

#include <string>

namespace mosaic_program {

/// The value of an element's property.
class ElementValue {
 public:
  ElementValue(GstElement* element, const char* property);
  ~ElementValue();
  ElementValue(const ElementValue&) = delete;
  ElementValue& operator=(const ElementValue&) = delete;

  bool operator==(const ElementValue& other) const;
  /// Whether it is a text that is not set.
  bool is_null() const;
  /// As a command line has it: numbers as somebody would write them, names of choices, names of
  /// flags with a + between them.
  std::string text() const;

 private:
  GValue value_ = G_VALUE_INIT;
};

}  // namespace mosaic_program
