// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/properties/properties.h"

#include "gst/properties/property_table.h"

namespace mosaic_gst {
void install_properties(GObjectClass* object_class) {
  guint id = 0;
  for (const Property& property : element_properties())
    g_object_class_install_property(object_class, ++id, property.make_spec(default_settings()));
}

bool get_setting(const Settings& settings, guint id, GValue* value) {
  const Property& property = element_properties().at(id - 1);
  if (property.get) property.get(settings, value);
  return property.get != nullptr;
}

bool set_setting(Settings& settings, guint id, const GValue* value) {
  const Property& property = element_properties().at(id - 1);
  if (!property.set) return false;
  settings.errors.erase(property.label.name);
  try {
    property.set(settings, value);
  } catch (const std::exception&) {
    settings.errors[property.label.name] = std::current_exception();
  }
  return true;
}

}  // namespace mosaic_gst
