// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/config_file.h"

#include <algorithm>
#include <vector>

#include "mosaic/error.h"
#include "mosaic/list_text.h"
#include "mosaic/profile.h"
#include "mosaic/settings_file.h"

namespace mosaic_gst {
namespace {

using mosaic::Setting;

/// D1Config's, all of them.
constexpr std::string_view kFields[] = {"profile_name",
                                        "size",
                                        "beta",
                                        "ema_alpha",
                                        "flow_size",
                                        "keep_intermediate",
                                        "silent",
                                        "png_compression",
                                        "device",
                                        "solver",
                                        "pipeline",
                                        "ssim_impl",
                                        "swap_impl",
                                        "assemble_impl",
                                        "postprocess_impl"};

/// Words that mosaic-temporal-gpu and its sibling have for what has another one here.
constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {{"scipy", "exact"},
                                                                         {"torch-lap", "auction"}};

GParamSpec* find_property(GObjectClass* klass, const Setting& setting) {
  if (std::find(std::begin(kFields), std::end(kFields), setting.key()) == std::end(kFields))
    setting.fail_unknown(mosaic::list_text(kFields));
  std::string name = setting.key();
  std::replace(name.begin(), name.end(), '_', '-');
  return g_object_class_find_property(klass, name.c_str());
}

/// The property's number of a word.
int enum_value(const GEnumClass* klass, const Setting& setting) {
  std::vector<std::string_view> words;
  std::vector<int> values;
  for (guint i = 0; i < klass->n_values; ++i) {
    words.push_back(klass->values[i].value_nick);
    values.push_back(klass->values[i].value);
    for (const auto& [other, word] : kOtherWords) {
      if (word != words.back()) continue;
      words.push_back(other);
      values.push_back(values.back());
      break;
    }
  }
  return values[setting.word(words)];
}

/// Text as the property has it: D1Config's size may be a number, its flow_size is two.
std::string text_of(const Setting& setting) {
  if (const auto* number = std::get_if<int64_t>(&setting.value());
      number && setting.key() == "size")
    return std::to_string(*number);
  if (const auto* list = std::get_if<std::vector<int64_t>>(&setting.value());
      list && setting.key() == "flow_size") {
    std::string text;
    for (int64_t side : *list) text += (text.empty() ? "" : "x") + std::to_string(side);
    return text;
  }
  return setting.text();
}

/// A text that the property takes.
std::string checked_text(const Setting& setting, const GParamSpec* spec) {
  const std::string text = text_of(setting);
  try {
    check_text(spec->name, text);
    if (spec->param_id == PROP_PROFILE_NAME) mosaic::load_profile(text);
  } catch (const mosaic::Error& error) {
    setting.fail(error.what(), error.hint());
  }
  return text;
}

/// Writes the setting to a value of the property's type.
void read(const Setting& setting, GParamSpec* spec, GValue* value) {
  if (G_IS_PARAM_SPEC_BOOLEAN(spec)) {
    g_value_set_boolean(value, setting.boolean());
  } else if (G_IS_PARAM_SPEC_DOUBLE(spec)) {
    const GParamSpecDouble* number = G_PARAM_SPEC_DOUBLE(spec);
    g_value_set_double(value, setting.number(number->minimum, number->maximum));
  } else if (G_IS_PARAM_SPEC_INT(spec)) {
    const GParamSpecInt* number = G_PARAM_SPEC_INT(spec);
    g_value_set_int(value, setting.whole(number->minimum, number->maximum));
  } else if (G_IS_PARAM_SPEC_ENUM(spec)) {
    g_value_set_enum(value, enum_value(G_PARAM_SPEC_ENUM(spec)->enum_class, setting));
  } else {
    g_value_set_string(value, checked_text(setting, spec).c_str());
  }
}

}  // namespace

void apply_config_file(Settings& settings, const std::string& path, GObjectClass* object_class) {
  Settings changed = settings;
  for (const Setting& setting : mosaic::read_settings(path)) {
    GParamSpec* spec = find_property(object_class, setting);
    GValue value = G_VALUE_INIT;
    g_value_init(&value, spec->value_type);
    read(setting, spec, &value);
    set_setting(changed, spec, &value);
    g_value_unset(&value);
  }
  settings = std::move(changed);
}

}  // namespace mosaic_gst
