// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gst/look_properties.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gst/install_property.h"

namespace mosaic_gst {
namespace {

using mosaic::Look;
using mosaic::LookField;
using mosaic::PlacementKind;
using mosaic::TransferKind;

/// Lives as long as the program: type registration and parameter specs keep it.
const char* forever(std::string text) {
  return g_intern_string(text.c_str());
}

const char* property_name(const LookField& field) {
  std::string name(field.name);
  std::replace(name.begin(), name.end(), '_', '-');
  return forever(name);
}

/// @param values that are filled; nicks are the words of profiles
void add_words(std::span<const std::string_view> words, const char* const* blurbs,
               std::vector<GEnumValue>& values) {
  int value = 0;
  for (std::string_view word : words) {
    values.push_back({value, blurbs[value], forever(std::string(word))});
    ++value;
  }
  values.push_back({0, nullptr, nullptr});
}

const char* nick(const LookField& field) {
  std::string name(field.name);
  std::replace(name.begin(), name.end(), '_', ' ');
  name[0] = g_ascii_toupper(name[0]);
  return forever(name);
}

GType placement_type() {
  static const GType type = [] {
    static std::vector<GEnumValue> values;
    static const char* const kBlurbs[] = {
        "The least sum of costs",
        "Cell by cell the nearest, its error handed on to the next",
    };
    add_words(mosaic::placement_words(), kBlurbs, values);
    return g_enum_register_static("GstMosaicTemporalPlacement", values.data());
  }();
  return type;
}

GType transfer_type() {
  static const GType type = [] {
    static std::vector<GEnumValue> values;
    static const char* const kBlurbs[] = {
        "Tiles as they are",
        "Mean and deviation of CIELAB",
        "Histograms",
        "Mean and deviation, then histograms",
        "Optimal transport of CIELAB",
        "Optimal transport, then histograms",
    };
    add_words(mosaic::transfer_words(), kBlurbs, values);
    return g_enum_register_static("GstMosaicTemporalColorTransfer", values.data());
  }();
  return type;
}

struct MakeSpec {
  const LookField& field;
  const Look& defaults;
  const char* name = property_name(field);
  const char* blurb = forever(std::string(field.blurb));

  GParamSpec* operator()(double Look::*member) const {
    return g_param_spec_double(name, nick(field), blurb, field.least, field.most, defaults.*member,
                               kControllable);
  }
  GParamSpec* operator()(int Look::*member) const {
    return g_param_spec_int(name, nick(field), blurb, static_cast<int>(field.least),
                            static_cast<int>(field.most), defaults.*member, kControllable);
  }
  GParamSpec* operator()(bool Look::*member) const {
    return g_param_spec_boolean(name, nick(field), blurb, defaults.*member, kControllable);
  }
  GParamSpec* operator()(TransferKind Look::*member) const {
    return g_param_spec_enum(name, nick(field), blurb, transfer_type(),
                             static_cast<int>(defaults.*member), kControllable);
  }
  GParamSpec* operator()(PlacementKind Look::*member) const {
    return g_param_spec_enum(name, nick(field), blurb, placement_type(),
                             static_cast<int>(defaults.*member), kControllable);
  }
};

struct Get {
  const Look& look;
  GValue* value;
  void operator()(double Look::*member) const { g_value_set_double(value, look.*member); }
  void operator()(int Look::*member) const { g_value_set_int(value, look.*member); }
  void operator()(bool Look::*member) const { g_value_set_boolean(value, look.*member); }
  void operator()(TransferKind Look::*member) const {
    g_value_set_enum(value, static_cast<int>(look.*member));
  }
  void operator()(PlacementKind Look::*member) const {
    g_value_set_enum(value, static_cast<int>(look.*member));
  }
};

struct Set {
  Look& look;
  const GValue* value;
  void operator()(double Look::*member) const { look.*member = g_value_get_double(value); }
  void operator()(int Look::*member) const { look.*member = g_value_get_int(value); }
  void operator()(bool Look::*member) const { look.*member = g_value_get_boolean(value); }
  void operator()(TransferKind Look::*member) const {
    look.*member = static_cast<TransferKind>(g_value_get_enum(value));
  }
  void operator()(PlacementKind Look::*member) const {
    look.*member = static_cast<PlacementKind>(g_value_get_enum(value));
  }
};

}  // namespace

void install_look_properties(GObjectClass* object_class, guint first, const Look& defaults) {
  const PropertyInstaller install{object_class};
  for (const LookField& field : mosaic::look_fields())
    install(first++, std::visit(MakeSpec{field, defaults}, field.member));
  gst_type_mark_as_plugin_api(placement_type(), static_cast<GstPluginAPIFlags>(0));
  gst_type_mark_as_plugin_api(transfer_type(), static_cast<GstPluginAPIFlags>(0));
}

bool get_look_field(const Look& look, guint index, GValue* value) {
  if (index >= mosaic::look_fields().size()) return false;
  std::visit(Get{look, value}, mosaic::look_fields()[index].member);
  return true;
}

bool set_look_field(Look& look, guint index, const GValue* value) {
  if (index >= mosaic::look_fields().size()) return false;
  std::visit(Set{look, value}, mosaic::look_fields()[index].member);
  return true;
}

}  // namespace mosaic_gst
