// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/description/tags.h"

#include <gst/tag/tag.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace mosaic_program {
namespace {

/// What tags say of a file and not of the film.
bool is_about_file(std::string_view key) {
  // Tags of mkvmerge may have a language ("BPS-eng").
  if (key.size() > 4 && key[key.size() - 4] == '-') key.remove_suffix(4);
  constexpr std::array<std::string_view, 12> kAboutFiles = {
      "major_brand", "minor_version", "compatible_brands", "encoder",
      "duration",    "handler_name",  "vendor_id",         "bps",
      "bitsps",      "source_id",     "language-ietf",     "rotate"};
  const auto is_key = [key](std::string_view other) {
    return key.size() == other.size() && strncasecmp(key.data(), other.data(), key.size()) == 0;
  };
  return std::any_of(kAboutFiles.begin(), kAboutFiles.end(), is_key) ||
         key.starts_with("_STATISTICS") || key.starts_with("NUMBER_OF_");
}

/// The names that GStreamer's muxers give to tracks without one.
bool is_no_name(std::string_view key, std::string_view value) {
  return key == "title" && (value == "Video" || value == "Audio" || value == "Subtitle");
}

}  // namespace

void copy_tags(const AVDictionary* from, AVDictionary** to) {
  const AVDictionaryEntry* tag = nullptr;
  while ((tag = av_dict_get(from, "", tag, AV_DICT_IGNORE_SUFFIX)))
    if (!is_about_file(tag->key) && !is_no_name(tag->key, tag->value))
      av_dict_set(to, tag->key, tag->value, 0);
}

bool has_tags(const AVDictionary* tags, bool also_dates) {
  AVDictionary* kept = nullptr;
  copy_tags(tags, &kept);
  av_dict_set(&kept, "language", nullptr, 0);
  if (!also_dates) av_dict_set(&kept, "creation_time", nullptr, 0);
  const bool has = av_dict_count(kept) > 0;
  av_dict_free(&kept);
  return has;
}

/// Of ISO 639-2, MP4 has the terms of the languages ("deu"), others the codes of libraries ("ger").
void set_language(AVDictionary** tags, bool is_mp4) {
  const AVDictionaryEntry* language = av_dict_get(*tags, "language", nullptr, 0);
  if (!language) return;
  const gchar* code = is_mp4 ? gst_tag_get_language_code_iso_639_2T(language->value)
                             : gst_tag_get_language_code_iso_639_2B(language->value);
  if (code) av_dict_set(tags, "language", code, 0);
}

}  // namespace mosaic_program
