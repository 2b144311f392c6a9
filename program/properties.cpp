// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/properties.h"

#include <gst/gst.h>

#include <algorithm>
#include <string_view>

#include "program/failure.h"

namespace mosaic_program {
namespace {

/// Not offered: the program needs them itself, or they have no use in it.
constexpr std::string_view kOwn[] = {"parent", "name", "silent", "qos"};

bool is_option(const GParamSpec* spec) {
  return spec->flags & G_PARAM_WRITABLE &&
         std::find(std::begin(kOwn), std::end(kOwn), spec->name) == std::end(kOwn);
}

/// Why a property cannot have a value; empty: it can.
std::string objection(GParamSpec* spec, const gchar* text) {
  if (G_IS_PARAM_SPEC_STRING(spec)) return {};
  GValue value = G_VALUE_INIT;
  g_value_init(&value, spec->value_type);
  std::string why;
  if (!gst_value_deserialize_with_pspec(&value, text, spec))
    why = "it is not a valid value";
  else if (g_param_value_validate(spec, &value))
    why = "it is out of range";
  g_value_unset(&value);
  return why.empty() ? why : std::string("--") + spec->name + " " + text + ": " + why;
}

}  // namespace

struct PropertyOptions::Impl {
  GObjectClass* element = nullptr;
  std::vector<GOptionEntry> entries;
  std::vector<std::pair<std::string, std::string>> given;

  /// Called by the parser for each option. A switch without a value is on.
  static gboolean take(const gchar* option, const gchar* text, gpointer data, GError** error) {
    auto& self = *static_cast<Impl*>(data);
    GParamSpec* spec = g_object_class_find_property(self.element, option + 2);  // without "--"
    const std::string value = text ? text : "true";
    const std::string why = objection(spec, value.c_str());
    if (!why.empty()) {
      g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, why.c_str());
      return FALSE;
    }
    self.given.emplace_back(spec->name, value);
    return TRUE;
  }
};

PropertyOptions::PropertyOptions() : impl_(std::make_unique<Impl>()) {
  GstElementFactory* factory = gst_element_factory_find("mosaictemporal");
  GstPluginFeature* loaded =
      factory ? gst_plugin_feature_load(GST_PLUGIN_FEATURE(factory)) : nullptr;
  if (factory) gst_object_unref(factory);
  if (!loaded)
    throw Failure(
        "GStreamer does not find the element mosaictemporal (set GST_PLUGIN_PATH to the folder of "
        "libgstmosaictemporal.so)");
  const GType type = gst_element_factory_get_element_type(GST_ELEMENT_FACTORY(loaded));
  impl_->element = static_cast<GObjectClass*>(g_type_class_ref(type));
  gst_object_unref(loaded);
  guint count = 0;
  GParamSpec** specs = g_object_class_list_properties(impl_->element, &count);
  for (guint i = 0; i < count; ++i) {
    if (!is_option(specs[i])) continue;
    const bool is_switch = G_IS_PARAM_SPEC_BOOLEAN(specs[i]);
    impl_->entries.push_back({specs[i]->name, 0, is_switch ? G_OPTION_FLAG_OPTIONAL_ARG : 0,
                              G_OPTION_ARG_CALLBACK, reinterpret_cast<gpointer>(&Impl::take),
                              g_param_spec_get_blurb(specs[i]),
                              is_switch ? "true|false" : g_type_name(specs[i]->value_type)});
  }
  g_free(specs);
  impl_->entries.push_back({nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr});
}

PropertyOptions::~PropertyOptions() {
  g_type_class_unref(impl_->element);
}

GOptionGroup* PropertyOptions::make_group() {
  GOptionGroup* group = g_option_group_new(
      "properties", "Properties of the element:", "Show the properties of the element", impl_.get(),
      nullptr);
  g_option_group_add_entries(group, impl_->entries.data());
  return group;
}

const std::vector<std::pair<std::string, std::string>>& PropertyOptions::given() const {
  return impl_->given;
}

}  // namespace mosaic_program
