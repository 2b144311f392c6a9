// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/settings/profile.h"

#include "mosaic/base/error.h"
#include "mosaic/base/list_text.h"
#include "mosaic/base/read_file.h"
#include "mosaic/base/similar_word.h"
#include "mosaic/settings/built_in_profiles.h"
#include "mosaic/settings/settings_file.h"

namespace mosaic {
namespace {

const LookField* find_field(std::string_view name) {
  for (const LookField& field : look_fields())
    if (field.name == name) return &field;
  return nullptr;
}

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const LookField& field : look_fields()) names.emplace_back(field.name);
  return names;
}

/// Sets a field of a look to the value of a setting.
struct Write {
  const Setting& setting;
  const LookField& field;
  Look& look;

  void operator()(double Look::*member) const {
    look.*member = setting.number(field.min, field.max);
  }
  void operator()(int Look::*member) const {
    look.*member = static_cast<int>(setting.whole(field.min, field.max));
  }
  void operator()(bool Look::*member) const { look.*member = setting.boolean(); }
  void operator()(PlacementKind Look::*member) const {
    look.*member = static_cast<PlacementKind>(setting.word(placement_words()));
  }
  void operator()(TransferKind Look::*member) const {
    look.*member = static_cast<TransferKind>(setting.word(transfer_words()));
  }
};

Look parse(std::string_view text, const std::string& name, Look look) {
  for (const Setting& setting : parse_toml(text, name)) {
    if (setting.key() == "description") continue;
    const LookField* field = find_field(setting.key());
    if (!field)
      setting.fail_unknown(list_text(field_names()), did_you_mean(setting.key(), field_names()));
    std::visit(Write{setting, *field, look}, field->member);
  }
  return look;
}

[[noreturn]] void fail_to_find(const std::string& name) {
  throw Error(Error::Kind::kNotFound, "there is no profile " + name,
              "use a name (" + choice_text(profile_names()) + ") or the path of a TOML file");
}

}  // namespace

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const BuiltInProfile& profile : built_in_profiles()) names.emplace_back(profile.name);
  return names;
}

Look load_profile(const std::string& name_or_path, const Look& missing) {
  for (const BuiltInProfile& profile : built_in_profiles())
    if (profile.name == name_or_path)
      return parse(profile.text, "profile " + std::string(profile.name), missing);
  std::vector<uint8_t> bytes;
  try {
    bytes = read_file(name_or_path, kMaxSettingsBytes);
  } catch (const Error& error) {
    if (error.kind() == Error::Kind::kNotFound) fail_to_find(name_or_path);
    throw Error(error.kind(), "cannot read profile '" + name_or_path + "': " + error.what());
  }
  return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name_or_path, missing);
}

}  // namespace mosaic
