// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/options/element_value.h"

#include "gst/pointers.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

/// As somebody would write it, unless more digits are needed.
std::string number_text(double number) {
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd(text, sizeof text, "%.15g", number);
  if (g_ascii_strtod(text, nullptr) != number) g_ascii_dtostr(text, sizeof text, number);
  return text;
}

std::string flags_text(const GValue& value) {
  const auto* type = static_cast<GFlagsClass*>(g_type_class_peek(G_VALUE_TYPE(&value)));
  std::string text;
  for (guint i = 0; i < type->n_values; ++i)
    if (type->values[i].value & g_value_get_flags(&value))
      text += (text.empty() ? "" : "+") + std::string(type->values[i].value_nick);
  return text;
}

}  // namespace

ElementValue::ElementValue(GstElement* element, const char* property) {
  g_object_get_property(G_OBJECT(element), property, &value_);
}

ElementValue::~ElementValue() {
  g_value_unset(&value_);
}

bool ElementValue::operator==(const ElementValue& other) const {
  return gst_value_compare(&value_, &other.value_) == GST_VALUE_EQUAL;
}

bool ElementValue::is_null() const {
  return G_VALUE_HOLDS_STRING(&value_) && !g_value_get_string(&value_);
}

std::string ElementValue::text() const {
  if (is_null()) return {};
  if (G_VALUE_HOLDS_STRING(&value_)) return g_value_get_string(&value_);
  if (G_VALUE_HOLDS_DOUBLE(&value_)) return number_text(g_value_get_double(&value_));
  if (G_VALUE_HOLDS_FLAGS(&value_)) return flags_text(value_);
  if (G_VALUE_HOLDS_ENUM(&value_)) {
    auto* type = static_cast<GEnumClass*>(g_type_class_peek(G_VALUE_TYPE(&value_)));
    return g_enum_get_value(type, g_value_get_enum(&value_))->value_nick;
  }
  const Owned<gchar> serialized(gst_value_serialize(&value_));
  return serialized.get();
}

}  // namespace mosaic_program
