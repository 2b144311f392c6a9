// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/job/resolved_settings.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "program/options/element_value.h"
#include "program/options/property_table.h"

namespace mosaic_program {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOfMachine[] = {"cache-location",
                                           "config-location",
                                           "cuda-device-id",
                                           "device",
                                           "live-quality",
                                           "intermediate-location",
                                           "keep-intermediate",
                                           "max-solve-time",
                                           "n-threads",
                                           "require-hardware",
                                           "silent"};
constexpr std::string_view kWithoutEffect[] = {"assemble-impl",    "pipeline",  "png-compression",
                                               "postprocess-impl", "ssim-impl", "swap-impl"};

template <class Names>
bool holds(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Whether a profile is a file of the user, whose settings are among the others.
bool is_own_profile(const std::string& name) {
  return std::none_of(profile_table().begin(), profile_table().end(),
                      [&](const ProfileInfo& profile) { return name == profile.name; });
}

std::string absolute(const std::string& path) {
  std::error_code error;
  return path.find("://") != path.npos ? path : fs::absolute(path, error).string();
}

/// Several places are separated by semicolons.
std::string absolute_list(const std::string& places) {
  std::error_code error;
  if (fs::exists(places, error)) return absolute(places);
  std::string all;
  for (size_t begin = 0; begin <= places.size();) {
    const size_t end = std::min(places.find(';', begin), places.size());
    if (begin > 0) all += ';';
    all += absolute(places.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> resolved_settings(GstElement* mosaic) {
  std::vector<std::pair<std::string, std::string>> settings;
  const auto add = [&](const char* name) {
    const ElementValue value(mosaic, name);
    if (!value.is_null()) settings.emplace_back(name, value.text());
  };
  // It changes the others, so it is set first.
  if (!is_own_profile(ElementValue(mosaic, "profile-name").text())) add("profile-name");
  for (const PropertyInfo& info : property_table()) {
    const std::string_view name = info.name;
    if (name != "profile-name" && !holds(kOfMachine, name) && !holds(kWithoutEffect, name))
      add(info.name);
  }
  return settings;
}

bool is_resolved_setting(const std::string& name) {
  const bool is_property =
      std::any_of(property_table().begin(), property_table().end(),
                  [&](const PropertyInfo& property) { return name == property.name; });
  return is_property && !holds(kOfMachine, name) && !holds(kWithoutEffect, name);
}

void make_paths_absolute(std::vector<std::pair<std::string, std::string>>& properties) {
  for (auto& [name, value] : properties) {
    if (name == "tile-location") value = absolute_list(value);
    if (name == "flow-weights" || name == "config-location") value = absolute(value);
    if (name == "profile-name" && is_own_profile(value)) value = absolute(value);
  }
}

}  // namespace mosaic_program
