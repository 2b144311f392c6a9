// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/options/properties.h"

#include <algorithm>
#include <array>
#include <list>
#include <string_view>

#include "program/options/property_table.h"
#include "program/options/property_value.h"

namespace mosaic_program {
namespace {

constexpr size_t kWidth = 96;  // of the help, in columns

struct Group {
  PropertyGroup id;
  const char *name, *title, *help;
};
constexpr std::array<Group, 4> kGroups = {{
    {PropertyGroup::kEveryday, "everyday", "Everyday properties:", "Show the everyday properties"},
    {PropertyGroup::kLook, "look",
     "Properties of the look (--preset sets all of them):", "Show the properties of the look"},
    {PropertyGroup::kMotion, "motion",
     "Properties of the motion, and of how tiles are chosen:", "Show the properties of motion"},
    {PropertyGroup::kCompatibility, "compatibility",
     "Properties for compatibility and debugging:", "Show the properties for compatibility"},
}};

/// Not offered, because the program reads what it would change.
bool is_option(const PropertyInfo& property) {
  return std::string_view(property.name) != "silent";
}

const PropertyInfo* find_property(std::string_view name) {
  for (const PropertyInfo& property : property_table())
    if (name == property.name) return &property;
  return nullptr;
}

std::string default_text(const PropertyInfo& property) {
  if (!*property.initial || std::string_view(property.initial) == "18446744073709551615") return {};
  return std::string("default ") + property.initial;
}

/// Text in lines of kWidth.
std::string wrapped(const std::string& text, size_t indent) {
  std::string lines, line(indent, ' ');
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    const auto width = static_cast<size_t>(g_utf8_strlen((line + word).c_str(), -1));
    if (width > kWidth && line.size() > indent) {
      lines += line.substr(0, line.size() - 1) + "\n";
      line.assign(indent, ' ');
    }
    line += word + " ";
    start = end + 1;
  }
  return lines + line.substr(0, line.size() - 1) + "\n";
}

}  // namespace

struct PropertyOptions::Impl {
  std::list<std::string> texts;  ///< that the entries point to
  std::array<std::vector<GOptionEntry>, kGroups.size()> entries;
  std::vector<std::pair<std::string, std::string>> given;

  const char* keep(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }

  GOptionEntry entry_of(const PropertyInfo& property) {
    int flags = 0;
    if (property.type == PropertyType::kSwitch) flags = G_OPTION_FLAG_OPTIONAL_ARG;
    if (property.type == PropertyType::kText) flags = G_OPTION_FLAG_FILENAME;  // any bytes
    const bool words = !property.words.empty();
    std::string more = words ? allowed_text(property) : "";
    if (const std::string initial = default_text(property); !initial.empty())
      more += (more.empty() ? "" : ", ") + initial;
    std::string blurb = property.blurb;
    if (!more.empty()) blurb += " (" + more + ")";
    return {property.name, 0, flags, G_OPTION_ARG_CALLBACK, reinterpret_cast<gpointer>(&Impl::take),
            keep(blurb),
            // The parser makes the column of names as wide as the longest.
            words ? "WORD" : keep(allowed_text(property))};
  }

  /// Called by the parser for each option. A switch without a value is on.
  static gboolean take(const gchar* option, const gchar* text, gpointer data, GError** error) {
    auto& self = *static_cast<Impl*>(data);
    const PropertyInfo& property = *find_property(option + 2);  // without "--"
    const std::string value = text ? text : "true";
    const std::string why = objection(property, value);
    if (!why.empty()) {
      g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s %s: %s", option,
                  value.c_str(), why.c_str());
      return FALSE;
    }
    self.given.emplace_back(property.name, value);
    return TRUE;
  }
};

PropertyOptions::PropertyOptions() : impl_(std::make_unique<Impl>()) {
  for (size_t i = 0; i < kGroups.size(); ++i) {
    for (const PropertyInfo& property : property_table())
      if (property.group == kGroups[i].id && is_option(property))
        impl_->entries[i].push_back(impl_->entry_of(property));
    impl_->entries[i].push_back({nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr});
  }
}

PropertyOptions::~PropertyOptions() = default;

void PropertyOptions::add_to(GOptionContext* parser) {
  for (size_t i = 0; i < kGroups.size(); ++i) {
    GOptionGroup* group = g_option_group_new(kGroups[i].name, kGroups[i].title, kGroups[i].help,
                                             impl_.get(), nullptr);
    g_option_group_add_entries(group, impl_->entries[i].data());
    g_option_context_add_group(parser, group);
  }
}

const std::vector<std::pair<std::string, std::string>>& PropertyOptions::given() const {
  return impl_->given;
}

std::vector<std::string> PropertyOptions::names() {
  std::vector<std::string> names;
  for (const PropertyInfo& property : property_table())
    if (is_option(property)) names.emplace_back(property.name);
  return names;
}

std::string PropertyOptions::help() {
  std::string text;
  for (const Group& group : kGroups) {
    text += (text.empty() ? "" : "\n") + std::string(group.title) + "\n";
    for (const PropertyInfo& property : property_table()) {
      if (property.group != group.id || !is_option(property)) continue;
      std::string line = "--" + std::string(property.name) + "=" + allowed_text(property);
      if (const std::string initial = default_text(property); !initial.empty())
        line += ", " + initial;
      text += wrapped(line, 2) + wrapped(property.blurb, 6);
    }
  }
  return text;
}

}  // namespace mosaic_program
