// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/storms/values.h"

#include <algorithm>
#include <string_view>

namespace storm {
namespace {

using namespace std::string_view_literals;

constexpr int kMostPixelsOfManyVariants = 32;  // of a tile's side
constexpr int kHarmlessLookahead = 6;

/// A number of the range, one of its ends or close to one.
template <class T>
std::string number_within(T least, T most, T usual, Random& random) {
  switch (random.between(0, 5)) {
    case 0:
      return std::to_string(least);
    case 1:
      return std::to_string(most);
    case 2:
      return std::to_string(usual);
    case 3:  // close to the least value
      return std::to_string(std::min<T>(most, least + static_cast<T>(random.between(0, 20))));
    default:
      return std::to_string(
          least + static_cast<T>(random.fraction() *
                                 static_cast<double>(static_cast<long double>(most) - least)));
  }
}

std::string one_of_enum(GEnumClass* words, Random& random) {
  const guint i = static_cast<guint>(random.between(0, static_cast<int>(words->n_values) - 1));
  return words->values[i].value_nick;
}

bool is_set_before_start(const GParamSpec* spec) {
  return !(spec->flags & GST_PARAM_MUTABLE_PLAYING) && spec->flags & GST_PARAM_MUTABLE_READY;
}

}  // namespace

Values::Values(GstElement* element, const Surroundings& surroundings, Ranges ranges)
    : element_(element), surroundings_(surroundings), ranges_(ranges) {
  guint count = 0;
  GParamSpec** specs = g_object_class_list_properties(G_OBJECT_GET_CLASS(element), &count);
  for (guint i = 0; i < count; ++i)
    if (specs[i]->flags & G_PARAM_WRITABLE && specs[i]->owner_type != GST_TYPE_OBJECT)
      properties_.push_back(specs[i]);
  g_free(specs);
}

Values::~Values() = default;

std::string Values::Setting::describe() const {
  return std::string(property->name) + "=" + (null ? "NULL" : text);
}

std::string Values::choose_number(const GParamSpec* spec, Random& random) const {
  const std::string_view name = spec->name;
  if (name == "color-variants" && !ranges_.many_variants)
    return std::to_string(random.between(0, 1));
  if (name == "lookahead" && ranges_.harmless)
    return std::to_string(random.between(0, kHarmlessLookahead));
  if (name == "tile-size" && ranges_.many_variants)
    return std::to_string(random.between(0, kMostPixelsOfManyVariants));
  if (name == "tile-size") return random.one_in(3) ? "0" : std::to_string(random.between(1, 256));
  if (G_IS_PARAM_SPEC_INT(spec)) {
    const auto* s = G_PARAM_SPEC_INT(spec);
    return number_within(s->minimum, s->maximum, s->default_value, random);
  }
  if (G_IS_PARAM_SPEC_UINT(spec)) {
    const auto* s = G_PARAM_SPEC_UINT(spec);
    return number_within(s->minimum, s->maximum, s->default_value, random);
  }
  if (G_IS_PARAM_SPEC_UINT64(spec)) {
    const auto* s = G_PARAM_SPEC_UINT64(spec);
    return number_within(s->minimum, s->maximum, s->default_value, random);
  }
  const auto* s = G_PARAM_SPEC_DOUBLE(spec);
  return number_within(s->minimum, s->maximum, s->default_value, random);
}

Choices Values::choices_of(std::string_view name) const {
  if (name == "tile-location") return surroundings_.tile_locations();
  if (name == "cache-location") return surroundings_.cache_locations();
  if (name == "config-location") return surroundings_.config_locations();
  if (name == "profile-name") return surroundings_.profiles();
  if (name == "intermediate-location") return surroundings_.intermediate_locations();
  if (name == "size") {
    Choices sizes = {
        {"48", "200", "700", "16x9"},
        {"99999999999", "16384x16384", "0", "-3", "", "many", "1e3", "7x", "\xff\xfe"}};
    if (!ranges_.many_variants)
      sizes.valid.insert(sizes.valid.end(), {"1", "1x1", "2x2", "1x40", "40x1"});
    return sizes;
  }
  if (name == "flow-size")
    return {{"1x1", "16x16", "64x48", "480x272"}, {"16384x16384", "16384x1", "0x0", "x"}};
  if (name == "flow-weights") return {{""}, {"/no/such.safetensors"}};
  if (name.ends_with("-impl"sv))
    return {{"auto"}, {"gpu", "cpu", "skimage", "torch_exact", "none"}};
  return {{""}};
}

Values::Setting Values::choose_text(const GParamSpec* spec, Random& random) const {
  const std::string_view name = spec->name;
  Choices choices = choices_of(name);
  if (!ranges_.harmless)
    choices.valid.insert(choices.valid.end(), choices.refused.begin(), choices.refused.end());
  const std::string text = random.pick(choices.valid);
  // An empty cache-location has a meaning of its own.
  const bool null = text.empty() && (name != "cache-location" || random.one_in(2));
  return {spec, text, null};
}

Values::Setting Values::choose(Random& random) const {
  const GParamSpec* spec = random.pick(properties_);
  const std::string_view name = spec->name;
  if (name == "device") return {spec, random.pick({"cpu", "auto"})};
  if (name == "require-hardware" && (ranges_.harmless || !random.one_in(20)))
    return {spec, "false"};
  // It needs weights, and with sanitizers a frame would take minutes.
  if (name == "flow" && ranges_.harmless) return {spec, random.pick({"identity", "block"})};
  if ((name == "window-size" || name == "window-overlap") && ranges_.harmless) return {spec, "-1"};
  if (G_IS_PARAM_SPEC_STRING(spec)) return choose_text(spec, random);
  if (G_IS_PARAM_SPEC_BOOLEAN(spec)) return {spec, random.pick({"true", "false"})};
  if (G_IS_PARAM_SPEC_ENUM(spec))
    return {spec, one_of_enum(G_PARAM_SPEC_ENUM(spec)->enum_class, random)};
  if (G_IS_PARAM_SPEC_FLAGS(spec)) {
    const guint mask = G_PARAM_SPEC_FLAGS(spec)->flags_class->mask;
    return {spec, std::to_string(random.one_in(3) ? 0 : static_cast<guint>(random.bits()) & mask)};
  }
  return {spec, choose_number(spec, random)};
}

void Values::set(const Setting& setting) const {
  if (setting.null)
    g_object_set(element_, setting.property->name, nullptr, nullptr);
  else if (G_IS_PARAM_SPEC_FLAGS(setting.property))
    g_object_set(element_, setting.property->name, static_cast<guint>(std::stoul(setting.text)),
                 nullptr);
  else if (G_IS_PARAM_SPEC_STRING(setting.property))
    g_object_set(element_, setting.property->name, setting.text.c_str(), nullptr);
  else
    gst_util_set_object_arg(G_OBJECT(element_), setting.property->name, setting.text.c_str());
}

void Values::reset() const {
  for (GParamSpec* spec : properties_) {
    if (is_set_before_start(spec)) continue;
    const std::string_view name = spec->name;
    if (name == "config-location") continue;
    g_object_set_property(G_OBJECT(element_), spec->name, g_param_spec_get_default_value(spec));
  }
}

}  // namespace storm
