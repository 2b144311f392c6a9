// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/properties/property.h"

#include <string_view>

#include "mosaic/base/error.h"

namespace mosaic_gst {
namespace {

/// The text of a setting; D1Config's size may be a number, its flow_size a list of two numbers.
std::string text_of(const mosaic::Setting& setting) {
  if (const auto* whole = std::get_if<int64_t>(&setting.value()); whole && setting.key() == "size")
    return std::to_string(*whole);
  if (const auto* list = std::get_if<std::vector<int64_t>>(&setting.value());
      list && setting.key() == "flow_size") {
    std::string text;
    for (int64_t side : *list) text += (text.empty() ? "" : "x") + std::to_string(side);
    return text;
  }
  return setting.text();
}

GParamSpec* make_text_spec(const Label& label, GParamFlags flags, const char* initial) {
  return g_param_spec_string(label.name, label.nick, label.blurb, initial, flags);
}

}  // namespace

GParamSpec* make_number_spec(const Label& l, GParamFlags flags, int least, int most, int initial) {
  return g_param_spec_int(l.name, l.nick, l.blurb, least, most, initial, flags);
}
GParamSpec* make_number_spec(const Label& l, GParamFlags flags, guint least, guint most,
                             guint initial) {
  return g_param_spec_uint(l.name, l.nick, l.blurb, least, most, initial, flags);
}
GParamSpec* make_number_spec(const Label& l, GParamFlags flags, guint64 least, guint64 most,
                             guint64 initial) {
  return g_param_spec_uint64(l.name, l.nick, l.blurb, least, most, initial, flags);
}
GParamSpec* make_number_spec(const Label& l, GParamFlags flags, double least, double most,
                             double initial) {
  return g_param_spec_double(l.name, l.nick, l.blurb, least, most, initial, flags);
}

GType register_choices(const char* type_name, const Choices& choices) {
  // GObject keeps the array for as long as the program runs.
  GEnumValue* values = g_new0(GEnumValue, choices.size() + 1);
  GEnumValue* next = values;
  for (const auto& choice : choices)
    if (choice.blurb) *next++ = {choice.value, choice.blurb, choice.nick};
  const GType type = g_enum_register_static(type_name, values);
  gst_type_mark_as_plugin_api(type, static_cast<GstPluginAPIFlags>(0));
  return type;
}

int read_choice(const mosaic::Setting& from, const Choices& choices) {
  std::vector<std::string_view> words;
  for (const auto& choice : choices) words.emplace_back(choice.nick);
  return choices[from.word(words)].value;
}

Property text(const Label& label, GParamFlags flags, std::string Settings::*member,
              const TakeText& take) {
  const auto shown = [member](const Settings& s, const Settings& defaults) {
    const bool none = (s.*member).empty() && (defaults.*member).empty();
    return none ? nullptr : (s.*member).c_str();
  };
  const auto write = [member, take](Settings& s, const std::string& value) {
    if (take) take(s, value);
    s.*member = value;
  };
  Property p{label};
  p.make_spec = [=](const Settings& defaults) {
    return make_text_spec(label, flags, shown(defaults, defaults));
  };
  p.get = [=](const Settings& s, GValue* to) {
    g_value_set_string(to, shown(s, default_settings()));
  };
  p.set = [=](Settings& s, const GValue* from) {
    const char* value = g_value_get_string(from);
    write(s, value ? value : default_settings().*member);
  };
  p.read = [=](Settings& s, const mosaic::Setting& from) {
    try {
      write(s, text_of(from));
    } catch (const mosaic::Error& error) {
      from.fail(error.what(), error.hint());
    }
  };
  return p;
}

Property optional_text(const Label& label, GParamFlags flags,
                       std::optional<std::string> Settings::*member) {
  Property p{label};
  p.make_spec = [=](const Settings&) { return make_text_spec(label, flags, nullptr); };
  p.get = [=](const Settings& s, GValue* to) {
    g_value_set_string(to, s.*member ? (s.*member)->c_str() : nullptr);
  };
  p.set = [=](Settings& s, const GValue* from) {
    (s.*member).reset();
    if (const char* value = g_value_get_string(from)) s.*member = value;
  };
  p.read = [=](Settings& s, const mosaic::Setting& from) { s.*member = from.text(); };
  return p;
}

Property read_only(const Label& label, const std::function<GParamSpec*(const Label&)>& make_spec) {
  Property p{label};
  p.make_spec = [=](const Settings&) { return make_spec(label); };
  return p;
}

}  // namespace mosaic_gst
