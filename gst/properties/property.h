// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// A property of the element, and functions that make one for a member of Settings.
#pragma once

#include <gst/gst.h>

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gst/properties/property_flags.h"
#include "gst/properties/settings.h"
#include "mosaic/settings/settings_file.h"

namespace mosaic_gst {

/// String literals, or strings that live as long as the program.
struct Label {
  const char *name, *nick, *blurb;
};

/// A property of the element: its GParamSpec, and access to its value in Settings.
struct Property {
  Label label;
  /// Whether D1Config has a field of that name, with _ for -.
  bool in_config = false;
  /// @param defaults the settings that contain the property's default
  std::function<GParamSpec*(const Settings& defaults)> make_spec = {};
  /// Null: the element provides the value.
  std::function<void(const Settings&, GValue*)> get = {};
  /// `set` and `read` throw mosaic::Error and write nothing if the value is not valid. Null: the
  /// property is read-only, or cannot be in the file that config-location names.
  std::function<void(Settings&, const GValue*)> set = {};
  std::function<void(Settings&, const mosaic::Setting&)> read = {};
};

GParamSpec* make_number_spec(const Label&, GParamFlags, int least, int most, int initial);
GParamSpec* make_number_spec(const Label&, GParamFlags, guint least, guint most, guint initial);
GParamSpec* make_number_spec(const Label&, GParamFlags, guint64 least, guint64 most,
                             guint64 initial);
GParamSpec* make_number_spec(const Label&, GParamFlags, double least, double most, double initial);

inline void put(GValue* to, bool value) {
  g_value_set_boolean(to, value);
}
inline void put(GValue* to, int value) {
  g_value_set_int(to, value);
}
inline void put(GValue* to, guint value) {
  g_value_set_uint(to, value);
}
inline void put(GValue* to, guint64 value) {
  g_value_set_uint64(to, value);
}
inline void put(GValue* to, double value) {
  g_value_set_double(to, value);
}
inline void take(const GValue* from, bool& value) {
  value = g_value_get_boolean(from);
}
inline void take(const GValue* from, int& value) {
  value = g_value_get_int(from);
}
inline void take(const GValue* from, guint& value) {
  value = g_value_get_uint(from);
}
inline void take(const GValue* from, guint64& value) {
  value = g_value_get_uint64(from);
}
inline void take(const GValue* from, double& value) {
  value = g_value_get_double(from);
}

/// The type of the value that a `Field` refers to. A Field is a pointer to a member of Settings, or
/// a function that returns a reference to a value in the Settings that it is given.
template <class Field>
using ValueOf = std::remove_cvref_t<std::invoke_result_t<Field, Settings&>>;

/// A function that returns a reference to a member of the engine's settings in Settings.
template <class T>
auto in_frame(T mosaic::FrameSettings::*member) {
  return [member](auto& settings) -> auto& {
    return settings.frame.*member;
  };
}

/// A number of type int, guint, guint64 or double.
/// @param As the property's type, if it is not the field's
template <class As = void, class Field = void,
          class T = std::conditional_t<std::is_void_v<As>, ValueOf<Field>, As>>
Property number(const Label& label, GParamFlags flags, Field field, std::type_identity_t<T> least,
                std::type_identity_t<T> most) {
  Property p{label};
  p.make_spec = [=](const Settings& defaults) {
    return make_number_spec(label, flags, least, most,
                            static_cast<T>(std::invoke(field, defaults)));
  };
  p.get = [=](const Settings& s, GValue* to) { put(to, static_cast<T>(std::invoke(field, s))); };
  p.set = [=](Settings& s, const GValue* from) {
    T value{};
    take(from, value);
    std::invoke(field, s) = static_cast<ValueOf<Field>>(value);
  };
  p.read = [=](Settings& s, const mosaic::Setting& from) {
    if constexpr (std::is_floating_point_v<T>)
      std::invoke(field, s) = from.number(least, most);
    else
      std::invoke(field, s) = static_cast<ValueOf<Field>>(
          from.whole(static_cast<double>(least), static_cast<double>(most)));
  };
  return p;
}

template <class Field>
Property boolean(const Label& label, GParamFlags flags, Field field) {
  Property p{label};
  p.make_spec = [=](const Settings& defaults) {
    return g_param_spec_boolean(label.name, label.nick, label.blurb, std::invoke(field, defaults),
                                flags);
  };
  p.get = [=](const Settings& s, GValue* to) { put(to, std::invoke(field, s)); };
  p.set = [=](Settings& s, const GValue* from) { take(from, std::invoke(field, s)); };
  p.read = [=](Settings& s, const mosaic::Setting& from) {
    std::invoke(field, s) = from.boolean();
  };
  return p;
}

/// A value of an enumeration and its name (nick). A choice without a blurb is another name for a
/// value, accepted in configuration files only.
template <class E>
struct Choice {
  E value;
  const char *nick, *blurb;
};
using Choices = std::vector<Choice<int>>;

GType register_choices(const char* type_name, const Choices& choices);
int read_choice(const mosaic::Setting& from, const Choices& choices);

/// @param type_name of the GEnum, which is registered with the property
template <class Field, class E = ValueOf<Field>>
Property enumeration(const Label& label, GParamFlags flags, Field field, const char* type_name,
                     const std::vector<Choice<std::type_identity_t<E>>>& of) {
  Choices choices;
  for (const auto& c : of) choices.push_back({static_cast<int>(c.value), c.nick, c.blurb});
  Property p{label};
  p.make_spec = [=](const Settings& defaults) {
    return g_param_spec_enum(label.name, label.nick, label.blurb,
                             register_choices(type_name, choices),
                             static_cast<int>(std::invoke(field, defaults)), flags);
  };
  p.get = [=](const Settings& s, GValue* to) {
    g_value_set_enum(to, static_cast<int>(std::invoke(field, s)));
  };
  p.set = [=](Settings& s, const GValue* from) {
    std::invoke(field, s) = static_cast<E>(g_value_get_enum(from));
  };
  p.read = [=](Settings& s, const mosaic::Setting& from) {
    std::invoke(field, s) = static_cast<E>(read_choice(from, choices));
  };
  return p;
}

/// Checks a text before it is stored, and applies it to other settings. Throws mosaic::Error if it
/// is not valid.
using TakeText = std::function<void(Settings&, const std::string&)>;

/// A text. Setting NULL sets the default. An empty text is read as NULL if the default is empty.
/// @param take null: any text is valid, and no other setting depends on it
Property text(const Label& label, GParamFlags flags, std::string Settings::*member,
              const TakeText& take = nullptr);

/// A text for which NULL and the empty text mean different things.
Property optional_text(const Label& label, GParamFlags flags,
                       std::optional<std::string> Settings::*member);

/// A read-only property, whose value the element provides.
Property read_only(const Label& label, const std::function<GParamSpec*(const Label&)>& make_spec);

/// The property, with Property::in_config set.
inline Property in_config(Property property) {
  property.in_config = true;
  return property;
}

}  // namespace mosaic_gst
