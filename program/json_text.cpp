// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/json_text.h"

#include "gst/pointers.h"

namespace mosaic_program {

std::string json_text(const std::string& text) {
  const mosaic_gst::Owned<gchar> valid(g_utf8_make_valid(text.c_str(), -1));
  std::string out = "\"";
  for (const char c : std::string(valid.get())) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
      continue;
    }
    gchar number[8];
    g_snprintf(number, sizeof number, "\\u%04x", static_cast<unsigned>(c));
    out += number;
  }
  return out + '"';
}

}  // namespace mosaic_program
