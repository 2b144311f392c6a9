// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/run/result.h"

#include "gst/pointers.h"
#include "program/json_text.h"

namespace mosaic_program {
namespace {

std::string text_or_null(const std::string& text) {
  return text.empty() ? "null" : json_text(text);
}

std::string number(double number) {
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];
  return g_ascii_formatd(text, sizeof text, "%.3f", number);
}

std::string list(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + json_text(text);
  return "[" + out + "]";
}

}  // namespace

Result result_of(GstElement* mosaic) {
  using mosaic_gst::Owned;
  GstStructure* made = nullptr;
  gchar* look = nullptr;
  g_object_get(mosaic, "stats", &made, "profile-name", &look, nullptr);
  const Owned<GstStructure> stats(made);
  const Owned<gchar> look_name(look);
  Result result;
  gst_structure_get(stats.get(), "frames", G_TYPE_UINT64, &result.frames, "width", G_TYPE_INT,
                    &result.width, "height", G_TYPE_INT, &result.height, "fps", G_TYPE_DOUBLE,
                    &result.input_rate, "tiles", G_TYPE_UINT, &result.tiles, "cells", G_TYPE_UINT,
                    &result.cells, "dropped", G_TYPE_UINT64, &result.dropped, "repeated",
                    G_TYPE_UINT64, &result.repeated, "skipped", G_TYPE_UINT, &result.skipped_photos,
                    nullptr);
  const gchar* decoder = gst_structure_get_string(stats.get(), "active-codec");
  result.decoder = decoder ? decoder : "";
  result.device = gst_structure_get_string(stats.get(), "device");
  result.look = look ? look : "";
  return result;
}

std::string to_json(const Result& r, const std::string& input, const std::string& output) {
  return "{\"input\": " + json_text(input) + ", \"output\": " + text_or_null(output) +
         ", \"frames\": " + std::to_string(r.frames) + ", \"width\": " + std::to_string(r.width) +
         ", \"height\": " + std::to_string(r.height) + ", \"fps\": " + number(r.input_rate) +
         ", \"active_codec\": " + text_or_null(r.decoder) +
         ", \"encoder\": " + text_or_null(r.encoder) + ", \"device\": " + text_or_null(r.device) +
         ", \"cells\": " + std::to_string(r.cells) + ", \"tiles\": " + std::to_string(r.tiles) +
         ", \"dropped\": " + std::to_string(r.dropped) +
         ", \"repeated\": " + std::to_string(r.repeated) +
         ", \"skipped_photos\": " + std::to_string(r.skipped_photos) +
         ", \"photos\": " + std::to_string(r.photos.photos) +
         ", \"photos_shown\": " + std::to_string(r.photos.shown) +
         ", \"most_uses\": " + std::to_string(r.photos.most) +
         ", \"nearest_pair\": " + (r.photos.nearest ? std::to_string(r.photos.nearest) : "null") +
         ", \"frames_per_second\": " + number(r.frames_per_second) +
         ", \"interrupted\": " + (r.interrupted ? "true" : "false") +
         ", \"losses\": " + list(r.losses) + "}";
}

}  // namespace mosaic_program
