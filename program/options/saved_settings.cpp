// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/options/saved_settings.h"

#include <algorithm>
#include <string_view>

#include "gst/pointers.h"
#include "program/extension.h"
#include "program/failure.h"
#include "program/options/element_value.h"
#include "program/options/property_table.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

Owned<GstElement> make_element() {
  GstElement* element = gst_element_factory_make("mosaictemporal", nullptr);
  return Owned<GstElement>(GST_ELEMENT(gst_object_ref_sink(element)));
}

/// As a TOML or YAML file has it between quotation marks.
std::string quoted(const std::string& text) {
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

/// As a TOML or YAML file has it.
std::string written(const ElementValue& value, const PropertyInfo& info) {
  const bool is_quoted = info.type == PropertyType::kText || info.type == PropertyType::kWord ||
                         info.type == PropertyType::kWords;
  return is_quoted ? quoted(value.text()) : value.text();
}

void set(const Owned<GstElement>& element, const std::string& property, const std::string& value) {
  const GParamSpec* spec =
      g_object_class_find_property(G_OBJECT_GET_CLASS(element.get()), property.c_str());
  if (spec && spec->value_type == G_TYPE_STRING)
    g_object_set(element.get(), property.c_str(), value.c_str(), nullptr);
  else if (spec)
    gst_util_set_object_arg(G_OBJECT(element.get()), property.c_str(), value.c_str());
}

/// Whether the file names a property even if it has its default. Without fidelity and unit, it
/// would be read with mosaicraft's values; the profile decides what the defaults of others are.
bool is_always_named(std::string_view property) {
  return property == "profile-name" || property == "fidelity" || property == "unit";
}

}  // namespace

void save_settings(const Options& options) {
  const std::string end = extension_of(options.save_config);
  if (end != "toml" && end != "yaml" && end != "yml")
    throw WrongUsage("--save-config " + options.save_config +
                     ": the name must end in .toml, .yaml or .yml");
  const Owned<GstElement> element = make_element(), plain = make_element();
  for (const auto& [property, value] : options.properties) set(element, property, value);
  if (const ElementValue profile(element.get(), "profile-name"); !profile.is_null())
    set(plain, "profile-name", profile.text());
  std::string text = "# Settings of mosaic-temporal, for --config.\n";
  for (const PropertyInfo& info : property_table()) {
    if (std::string_view(info.name) == "config-location") continue;
    const ElementValue value(element.get(), info.name);
    if (!is_always_named(info.name) && value == ElementValue(plain.get(), info.name)) continue;
    std::string name = info.name;
    std::replace(name.begin(), name.end(), '-', '_');
    text += name + (end == "toml" ? " = " : ": ") + written(value, info) + "\n";
  }
  GError* failure = nullptr;
  if (!g_file_set_contents(options.save_config.c_str(), text.c_str(),
                           static_cast<gssize>(text.size()), &failure)) {
    const Owned<GError> error(failure);
    throw Failure(options.save_config + ": " + error->message);
  }
}

}  // namespace mosaic_program
