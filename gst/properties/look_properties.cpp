// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>

#include "gst/properties/property_table.h"

namespace mosaic_gst {
namespace {

using mosaic::Look;
using mosaic::LookField;
using mosaic::PlacementKind;
using mosaic::TransferKind;

constexpr const char* kPlacementBlurbs[] = {
    "Optimal assignment: the lowest total cost",
    "Error diffusion: each cell in turn takes the nearest tile (mosaicraft's name for it, after "
    "the "
    "library that it searches with)",
};
constexpr const char* kTransferBlurbs[] = {
    "Tiles keep their colours",
    "Match mean and standard deviation in CIELAB",
    "Match histograms",
    "Match mean and standard deviation, then histograms",
    "Optimal transport in CIELAB",
    "Optimal transport, then histograms",
};

const char* replace_underscores(std::string_view name, char by, bool capital = false) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', by);
  if (capital) text[0] = g_ascii_toupper(text[0]);
  return g_intern_string(text.c_str());
}

template <class E>
std::vector<Choice<E>> choices_of(std::span<const std::string_view> words,
                                  const char* const* blurbs) {
  std::vector<Choice<E>> choices;
  for (size_t i = 0; i < words.size(); ++i)
    choices.push_back(
        {static_cast<E>(i), g_intern_string(std::string(words[i]).c_str()), blurbs[i]});
  return choices;
}

/// A function that returns a reference to a field of the look in Settings.
template <class T>
auto in_look(T Look::*member) {
  return [member](auto& settings) -> auto& {
    return settings.frame.look.*member;
  };
}

struct MakeProperty {
  const LookField& field;
  Label label = {replace_underscores(field.name, '-'), replace_underscores(field.name, ' ', true),
                 g_intern_string(std::string(field.blurb).c_str())};

  Property operator()(double Look::*member) const {
    return number(label, kControllable, in_look(member), field.min, field.max);
  }
  Property operator()(int Look::*member) const {
    return number(label, kControllable, in_look(member), static_cast<int>(field.min),
                  static_cast<int>(field.max));
  }
  Property operator()(bool Look::*member) const {
    return boolean(label, kControllable, in_look(member));
  }
  Property operator()(PlacementKind Look::*member) const {
    return enumeration(label, kControllable, in_look(member), "GstMosaicTemporalPlacement",
                       choices_of<PlacementKind>(mosaic::placement_words(), kPlacementBlurbs));
  }
  Property operator()(TransferKind Look::*member) const {
    return enumeration(label, kControllable, in_look(member), "GstMosaicTemporalColorTransfer",
                       choices_of<TransferKind>(mosaic::transfer_words(), kTransferBlurbs));
  }
};

/// A profile may set the saturation of cool and of warm hues, which override that of all hues. The
/// property is meant for all hues, so setting it resets those two.
void apply_to_all_hues(Property& saturation_boost) {
  saturation_boost.set = [set = saturation_boost.set](Settings& s, const GValue* value) {
    set(s, value);
    s.frame.look.boost_cool = s.frame.look.boost_warm = Look().boost_cool;
  };
}

}  // namespace

std::vector<Property> look_properties() {
  std::vector<Property> properties;
  for (const LookField& field : mosaic::look_fields()) {
    properties.push_back(std::visit(MakeProperty{field}, field.member));
    if (field.name == "saturation_boost") apply_to_all_hues(properties.back());
    if (field.name == "fidelity") properties.back().in_config = true;
  }
  return properties;
}

}  // namespace mosaic_gst
