// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/options/saved_settings.h"

#include <algorithm>
#include <string_view>

#include "gst/pointers.h"
#include "program/extension.h"
#include "program/failure.h"
#include "program/options/property_table.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

Owned<GstElement> make_element() {
  GstElement* element = gst_element_factory_make("mosaictemporal", nullptr);
  return Owned<GstElement>(GST_ELEMENT(gst_object_ref_sink(element)));
}

/// A property's value.
class Value {
 public:
  Value(const Owned<GstElement>& element, const char* property) {
    g_object_get_property(G_OBJECT(element.get()), property, &value_);
  }
  ~Value() { g_value_unset(&value_); }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;

  bool operator==(const Value& other) const {
    return gst_value_compare(&value_, &other.value_) == GST_VALUE_EQUAL;
  }
  bool is_text() const { return G_VALUE_HOLDS_STRING(&value_); }
  const gchar* text() const { return g_value_get_string(&value_); }

  /// As a TOML or YAML file has it. @param info of the property
  std::string written(const PropertyInfo& info) const {
    if (is_text()) return quoted(text() ? text() : "");
    if (G_VALUE_HOLDS_DOUBLE(&value_)) {
      // As somebody would write it, unless more digits are needed.
      const double number = g_value_get_double(&value_);
      gchar text[G_ASCII_DTOSTR_BUF_SIZE];
      g_ascii_formatd(text, sizeof text, "%.15g", number);
      return g_ascii_strtod(text, nullptr) == number ? text
                                                     : g_ascii_dtostr(text, sizeof text, number);
    }
    if (info.type == PropertyType::kWord || info.type == PropertyType::kWords)
      return quoted(words());
    const Owned<gchar> serialized(gst_value_serialize(&value_));
    return serialized.get();
  }

 private:
  /// The name of a choice, or the names of flags.
  std::string words() const {
    gpointer type = g_type_class_peek(G_VALUE_TYPE(&value_));
    if (G_VALUE_HOLDS_ENUM(&value_))
      return g_enum_get_value(static_cast<GEnumClass*>(type), g_value_get_enum(&value_))
          ->value_nick;
    const auto* flags = static_cast<GFlagsClass*>(type);
    std::string text;
    for (guint i = 0; i < flags->n_values; ++i)
      if (flags->values[i].value & g_value_get_flags(&value_))
        text += (text.empty() ? "" : "+") + std::string(flags->values[i].value_nick);
    return text;
  }

  static std::string quoted(const std::string& text) {
    if (!g_utf8_validate(text.c_str(), -1, nullptr))
      throw Failure("'" + text + "' is not UTF-8, and cannot be in a settings file");
    std::string out = "\"";
    for (const char c : text) {
      gchar number[8];
      g_snprintf(number, sizeof number, "\\u%04x", static_cast<unsigned char>(c));
      if (c == '"' || c == '\\')
        out += std::string("\\") + c;
      else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
        out += number;
      else
        out += c;
    }
    return out + '"';
  }

  GValue value_ = G_VALUE_INIT;
};

void set(const Owned<GstElement>& element, const std::string& property, const std::string& value) {
  const GParamSpec* spec =
      g_object_class_find_property(G_OBJECT_GET_CLASS(element.get()), property.c_str());
  if (spec && spec->value_type == G_TYPE_STRING)
    g_object_set(element.get(), property.c_str(), value.c_str(), nullptr);
  else if (spec)
    gst_util_set_object_arg(G_OBJECT(element.get()), property.c_str(), value.c_str());
}

/// Whether the file has to name a property. Without fidelity, it would mean that of mosaicraft.
bool is_always_named(std::string_view property) {
  return property == "profile-name" || property == "fidelity";
}

}  // namespace

void save_settings(const Options& options) {
  const std::string end = extension_of(options.save_config);
  if (end != "toml" && end != "yaml" && end != "yml")
    throw WrongUsage("--save-config " + options.save_config +
                     ": the name must end in .toml, .yaml or .yml");
  const Owned<GstElement> element = make_element(), plain = make_element();
  for (const auto& [property, value] : options.properties) set(element, property, value);
  if (const Value profile(element, "profile-name"); profile.text())
    set(plain, "profile-name", profile.text());
  std::string text = "# Settings of mosaic-temporal, for --config.\n";
  for (const PropertyInfo& info : property_table()) {
    if (std::string_view(info.name) == "config-location") continue;
    const Value value(element, info.name);
    if (!is_always_named(info.name) && value == Value(plain, info.name)) continue;
    std::string name = info.name;
    std::replace(name.begin(), name.end(), '-', '_');
    text += name + (end == "toml" ? " = " : ": ") + value.written(info) + "\n";
  }
  GError* failure = nullptr;
  if (!g_file_set_contents(options.save_config.c_str(), text.c_str(),
                           static_cast<gssize>(text.size()), &failure)) {
    const Owned<GError> error(failure);
    throw Failure(options.save_config + ": " + error->message);
  }
}

}  // namespace mosaic_program
