// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// GstPreset: profiles by name, and the user's own presets.
#include <algorithm>
#include <fstream>
#include <map>

#include "mosaic/settings/profile.h"
#include "tests/gst/harness.h"

namespace {

using namespace element_test;

/// Sets the folder where GStreamer keeps the user's presets and copies of ours. GStreamer reads it
/// once per process.
const bool kDataFolderIsOurs = [] {
  static const TempFolder folder;
  return g_setenv("XDG_DATA_HOME", folder.path().c_str(), TRUE) != FALSE;
}();

std::map<std::string, std::string> properties_of(Element& element) {
  std::map<std::string, std::string> values;
  guint count = 0;
  GParamSpec** specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(element.get()), &count);
  for (guint i = 0; i < count; ++i) {
    const std::string name = specs[i]->name;
    if (!(specs[i]->flags & G_PARAM_WRITABLE) || name == "name" || name == "parent") continue;
    GValue value = G_VALUE_INIT;
    g_object_get_property(G_OBJECT(element.get()), name.c_str(), &value);
    gchar* text = g_strdup_value_contents(&value);
    values[name] = text;
    g_free(text);
    g_value_unset(&value);
  }
  g_free(specs);
  return values;
}

/// Sets every number of the look to its minimum and every boolean to the opposite of its default.
void disturb(Element& element) {
  guint count = 0;
  GParamSpec** specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(element.get()), &count);
  for (guint i = 0; i < count; ++i) {
    if (!(specs[i]->flags & GST_PARAM_CONTROLLABLE)) continue;
    const char* name = specs[i]->name;
    if (G_IS_PARAM_SPEC_DOUBLE(specs[i]))
      element.set(name, G_PARAM_SPEC_DOUBLE(specs[i])->minimum);
    else if (G_IS_PARAM_SPEC_INT(specs[i]))
      element.set(name, G_PARAM_SPEC_INT(specs[i])->minimum);
    else if (G_IS_PARAM_SPEC_BOOLEAN(specs[i]))
      element.set(name, !G_PARAM_SPEC_BOOLEAN(specs[i])->default_value);
  }
  g_free(specs);
  element.set("beta", 0.3, "scene-threshold", 10.0, "ema-alpha", 0.15, "dedup-radius", 4U);
}

std::vector<std::string> preset_names(Element& element) {
  gchar** names = gst_preset_get_preset_names(GST_PRESET(element.get()));
  std::vector<std::string> list;
  for (gchar** name = names; name && *name; ++name) list.emplace_back(*name);
  g_strfreev(names);
  std::sort(list.begin(), list.end());
  return list;
}

TEST(Presets, HaveTheNamesOfTheProfiles) {
  ASSERT_TRUE(kDataFolderIsOurs);
  Element element;
  EXPECT_EQ(preset_names(element), mosaic::profile_names());
  for (const std::string& name : mosaic::profile_names()) {
    gchar* comment = nullptr;
    EXPECT_TRUE(gst_preset_get_meta(GST_PRESET(element.get()), name.c_str(), "comment", &comment));
    EXPECT_GT(std::string(comment ? comment : "").size(), 10U) << name;
    g_free(comment);
  }
}

TEST(Presets, SetTheSamePropertiesAsTheProfile) {
  for (const std::string& name : mosaic::profile_names()) {
    Element by_profile, by_preset;
    disturb(by_profile), disturb(by_preset);
    by_profile.set("profile-name", name.c_str());
    ASSERT_TRUE(gst_preset_load_preset(GST_PRESET(by_preset.get()), name.c_str())) << name;
    EXPECT_EQ(properties_of(by_preset), properties_of(by_profile)) << name;
  }
}

TEST(Presets, OfTheUserRestoreAllProperties) {
  const TempFolder folder;
  const std::string config = folder.path("c.toml");
  std::ofstream(config) << "profile_name = \"ultra\"\nbeta = 0.9\nsize = 100\n";
  Element saved, loaded;
  saved.set("config-location", config.c_str(), "profile-name", "natural", "gamma", 1.5, "beta", 0.1,
            "size", "20x10", "tile-size", 24U, "png-compression", 1, "max-tile-uses", 7U);
  ASSERT_TRUE(gst_preset_save_preset(GST_PRESET(saved.get()), "mine"));
  ASSERT_TRUE(gst_preset_load_preset(GST_PRESET(loaded.get()), "mine"));
  EXPECT_EQ(properties_of(loaded), properties_of(saved));
  EXPECT_TRUE(gst_preset_delete_preset(GST_PRESET(loaded.get()), "mine"));
}

}  // namespace
