// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/properties/config_file.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "mosaic/base/list_text.h"
#include "mosaic/base/similar_word.h"
#include "mosaic/settings/profile.h"
#include "mosaic/settings/settings_file.h"

namespace mosaic_gst {
namespace {

std::string field_name(const Property& property) {
  std::string name = property.label.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

const Property& find_property(const mosaic::Setting& setting,
                              std::span<const Property> properties) {
  std::vector<std::string> names, others;
  for (const Property& property : properties) {
    if (!property.read) continue;
    (property.in_config ? names : others).push_back(field_name(property));
    if (field_name(property) == setting.key()) return property;
  }
  names.insert(names.end(), others.begin(), others.end());
  setting.fail_unknown(mosaic::list_text(names), mosaic::did_you_mean(setting.key(), names));
}

}  // namespace

void apply_config_file(Settings& settings, const std::string& path,
                       std::span<const Property> properties) {
  Settings changed = settings;
  std::vector<mosaic::Setting> fields = mosaic::read_settings(path);
  // The order of a file's fields has no meaning: the profile comes first, as it sets others.
  std::stable_partition(fields.begin(), fields.end(),
                        [](const mosaic::Setting& field) { return field.key() == "profile_name"; });
  for (const mosaic::Setting& field : fields) {
    const Property& property = find_property(field, properties);
    property.read(changed, field);
    changed.errors.erase(property.label.name);
  }
  const auto names = [&fields](std::initializer_list<std::string_view> keys) {
    return std::any_of(fields.begin(), fields.end(), [keys](const mosaic::Setting& field) {
      return std::find(keys.begin(), keys.end(), field.key()) != keys.end();
    });
  };
  // D1Config, mosaicraft's configuration, has neither fidelity nor unit. Without fidelity, that of
  // the profile applies, 0 in mosaicraft's; without unit or another field about photos, tiles are
  // counted.
  if (!names({"fidelity"}))
    changed.frame.look.fidelity = mosaic::load_profile(changed.profile_name).fidelity;
  if (!names({"unit", "max_photo_uses", "min_photo_uses", "dedup_similarity", "show_within"}))
    changed.unit = mosaic::Unit::kTile;
  settings = std::move(changed);
}

}  // namespace mosaic_gst
