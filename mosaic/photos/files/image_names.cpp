// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/files/image_names.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace mosaic {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// What follows the last dot of a name, in lower case; empty: there is no dot.
std::string extension_of(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? "" : lower_case(name.substr(dot + 1));
}

bool is_one_of_kinds(std::string_view extension, std::initializer_list<std::string_view> kinds) {
  return std::find(kinds.begin(), kinds.end(), extension) != kinds.end();
}

}  // namespace

bool has_loader(std::string_view media_type) {
  GSList* formats = gdk_pixbuf_get_formats();
  bool found = false;
  for (GSList* l = formats; l && !found; l = l->next) {
    gchar** types = gdk_pixbuf_format_get_mime_types(static_cast<GdkPixbufFormat*>(l->data));
    for (gchar** type = types; *type; ++type) found |= media_type == *type;
    g_strfreev(types);
  }
  g_slist_free(formats);
  return found;
}

const std::string& loader_names() {
  static const std::string names = [] {
    std::string text;
    GSList* formats = gdk_pixbuf_get_formats();
    for (GSList* l = formats; l; l = l->next) {
      gchar* name = gdk_pixbuf_format_get_name(static_cast<GdkPixbufFormat*>(l->data));
      text += name + std::string(" ");
      g_free(name);
    }
    g_slist_free(formats);
    return text;
  }();
  return names;
}

bool is_image_name(std::string_view name) {
  static const bool heif = has_loader("image/heif"), avif = has_loader("image/avif");
  const std::string extension = extension_of(name);
  return is_one_of_kinds(extension, {"jpg", "jpeg", "jpe", "jfif", "png", "webp", "tif", "tiff",
                                     "bmp", "gif"}) ||
         (heif && is_one_of_kinds(extension, {"heic", "heif", "hif"})) ||
         (avif && extension == "avif");
}

std::string unsupported_format(std::string_view name) {
  std::string extension = extension_of(name);
  const bool photo =
      is_one_of_kinds(extension, {"heic", "heif", "hif", "avif", "jxl", "jp2", "dng", "cr2", "cr3",
                                  "nef", "arw", "orf", "rw2", "raf", "pef", "srw"});
  if (!photo || is_image_name(name)) return {};
  for (char& c : extension) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return extension;
}

bool is_left_out_folder(std::string_view name) {
  return name.starts_with('.') ||
         is_one_of_kinds(lower_case(name), {"@eadir", "thumbs", "@recycle", "#recycle",
                                            "$recycle.bin", "#snapshot", "__macosx"});
}

}  // namespace mosaic
