// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/properties/config_file.h"

#include <algorithm>
#include <vector>

#include "mosaic/base/list_text.h"
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
  std::vector<std::string> fields;
  for (const Property& property : properties) {
    if (!property.in_config) continue;
    fields.push_back(field_name(property));
    if (fields.back() == setting.key()) return property;
  }
  setting.fail_unknown(mosaic::list_text(fields));
}

}  // namespace

void apply_config_file(Settings& settings, const std::string& path,
                       std::span<const Property> properties) {
  Settings changed = settings;
  for (const mosaic::Setting& setting : mosaic::read_settings(path)) {
    const Property& property = find_property(setting, properties);
    property.read(changed, setting);
    changed.errors.erase(property.label.name);
  }
  settings = std::move(changed);
}

}  // namespace mosaic_gst
