// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/running/result.h"

#include "gst/pointers.h"

namespace mosaic_program {
namespace {

/// A text between quotation marks.
std::string quoted(const std::string& text) {
  const mosaic_gst::Owned<gchar> valid(g_utf8_make_valid(text.c_str(), -1));
  std::string out = "\"";
  for (const char c : std::string(valid.get())) {
    if (c == '"' || c == '\\') out += '\\';
    // No sentence has control characters, except a name of a file that it contains.
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

std::string text_or_null(const std::string& text) {
  return text.empty() ? "null" : quoted(text);
}

std::string number(double number) {
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];
  return g_ascii_formatd(text, sizeof text, "%.3f", number);
}

std::string list(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + quoted(text);
  return "[" + out + "]";
}

}  // namespace

std::string to_json(const Result& r) {
  return "{\"frames\": " + std::to_string(r.frames) + ", \"width\": " + std::to_string(r.width) +
         ", \"height\": " + std::to_string(r.height) + ", \"fps\": " + number(r.input_rate) +
         ", \"active_codec\": " + text_or_null(r.decoder) +
         ", \"encoder\": " + text_or_null(r.encoder) + ", \"device\": " + text_or_null(r.device) +
         ", \"cells\": " + std::to_string(r.cells) + ", \"tiles\": " + std::to_string(r.tiles) +
         ", \"dropped\": " + std::to_string(r.dropped) +
         ", \"repeated\": " + std::to_string(r.repeated) +
         ", \"skipped_photos\": " + std::to_string(r.skipped_photos) +
         ", \"frames_per_second\": " + number(r.frames_per_second) +
         ", \"interrupted\": " + (r.interrupted ? "true" : "false") +
         ", \"losses\": " + list(r.losses) + "}";
}

}  // namespace mosaic_program
