// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/options.h"

#include <gst/gst.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "program/failure.h"
#include "program/properties.h"

namespace mosaic_program {
namespace {

constexpr int kWorstQuality = 51;

constexpr char kSummary[] =
    "Makes a photomosaic of a video, a photo or a camera's picture out of your photos.\n\n"
    "INPUT is a video or photo file, a URI (https://, rtsp://), a camera's device\n"
    "(/dev/video0) or the word camera; with --frames a folder of numbered pictures or a\n"
    "pattern like frame-%05d.png. Give --output FILE or --show. FILE ends in .mp4, .mkv,\n"
    ".mov or .webm; in .png or .jpg for a photo, or for each frame of a video if the name\n"
    "has a pattern like %05d.";
constexpr char kExamples[] =
    "Examples:\n"
    "  mosaic-temporal film.mp4 --tiles ~/photos --output mosaic.mp4\n"
    "  mosaic-temporal portrait.jpg --tiles ~/photos --size 120x90 --output-size 6000x4500 -o "
    "poster.png\n"
    "  mosaic-temporal camera --tiles ~/photos --show\n\n"
    "The properties of the element mosaictemporal are options, too (--help-properties).";

/// What the option parser of GLib writes into.
struct Raw {
  gchar* output = nullptr;
  gchar* tiles = nullptr;
  gchar* preset = nullptr;
  gchar* config = nullptr;
  gchar* rate = nullptr;
  gchar* output_size = nullptr;
  gchar** inputs = nullptr;
  gint quality = -1;
  gdouble seconds = 0, patience = -1, reconnect = 0;
  gboolean force = FALSE;
  gboolean show = FALSE, frames = FALSE, json = FALSE, dry_run = FALSE, quiet = FALSE,
           software = FALSE, version = FALSE;

  Raw() = default;
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;
  ~Raw() {
    for (gchar* text : {output, tiles, preset, config, rate, output_size}) g_free(text);
    g_strfreev(inputs);
  }
};

std::string text_of(const gchar* text) {
  return text ? text : "";
}

Size parse_size(const std::string& text) {
  Size size{};
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &size.width, &size.height, &rest) != 2 ||
      size.width < 1 || size.height < 1 || size.width > 16384 || size.height > 16384)
    throw WrongUsage("--output-size " + text + ": write WIDTHxHEIGHT, like 3840x2160");
  return size;
}

/// "25", "29.97" or "30000/1001" as a fraction.
std::string parse_rate(const std::string& text) {
  GValue value = G_VALUE_INIT;
  g_value_init(&value, GST_TYPE_FRACTION);
  gint numerator = 0, denominator = 1;
  char* end = nullptr;
  const double number = g_ascii_strtod(text.c_str(), &end);
  bool valid = end != text.c_str() && *end == 0;
  if (valid) {
    gst_util_double_to_fraction(number, &numerator, &denominator);
  } else if (gst_value_deserialize(&value, text.c_str())) {
    numerator = gst_value_get_fraction_numerator(&value);
    denominator = gst_value_get_fraction_denominator(&value);
    valid = true;
  }
  g_value_unset(&value);
  if (!valid || numerator <= 0 || numerator / denominator > 1000)
    throw WrongUsage("--fps " + text + ": write a number, like 25 or 30000/1001");
  return std::to_string(numerator) + "/" + std::to_string(denominator);
}

void check(const Options& options) {
  if (options.input.empty()) throw WrongUsage("no input was given");
  if (options.output.empty() && !options.show)
    throw WrongUsage("no output was given: use --output FILE or --show");
  if (!options.output.empty() && options.show)
    throw WrongUsage("--output and --show exclude each other");
}

Options from_raw(const Raw& raw) {
  Options options;
  if (raw.inputs && raw.inputs[0]) {
    if (raw.inputs[1])
      throw WrongUsage(std::string("only one input can be used, not '") + raw.inputs[1] + "' too");
    options.input = raw.inputs[0];
  }
  options.output = text_of(raw.output);
  options.show = raw.show;
  options.frames = raw.frames;
  options.json = raw.json;
  options.dry_run = raw.dry_run;
  options.quiet = raw.quiet;
  options.software = raw.software;
  if (raw.quality > kWorstQuality || raw.quality < -1)
    throw WrongUsage("--cq " + std::to_string(raw.quality) + ": use 0 (best) to 51 (smallest)");
  if (raw.quality >= 0) options.quality = raw.quality;
  if (raw.rate) options.frames_per_second = parse_rate(raw.rate);
  if (raw.output_size) options.output_size = parse_size(raw.output_size);
  if (raw.seconds < 0) throw WrongUsage("--seconds must not be negative");
  options.seconds = raw.seconds;
  options.force = raw.force;
  options.reconnect = raw.reconnect;
  if (raw.patience >= 0) options.patience = raw.patience;
  if (raw.preset) options.properties.emplace_back("profile-name", raw.preset);
  if (raw.config) options.properties.emplace_back("config-location", raw.config);
  if (raw.tiles) options.properties.emplace_back("tile-location", raw.tiles);
  return options;
}

}  // namespace

Options read_options(int argc, char** argv) {
  Raw raw;
  const GOptionEntry entries[] = {
      {"output", 'o', 0, G_OPTION_ARG_FILENAME, &raw.output, "File to write", "FILE"},
      {"show", 0, 0, G_OPTION_ARG_NONE, &raw.show, "Show the mosaic in a window", nullptr},
      {"tiles", 't', 0, G_OPTION_ARG_FILENAME, &raw.tiles,
       "Photos: a folder, a file or a video; without it built-in tiles are used", "PHOTOS"},
      {"preset", 0, 0, G_OPTION_ARG_STRING, &raw.preset,
       "Look: faithful (unless set), film, photos, vivid_b, natural, plain …", "NAME"},
      {"config", 0, 0, G_OPTION_ARG_FILENAME, &raw.config, "Settings from a TOML or YAML file",
       "FILE"},
      {"cq", 0, 0, G_OPTION_ARG_INT, &raw.quality,
       "Quality of the video: 0 (best) to 51 (smallest file); 21 unless set", "N"},
      {"fps", 0, 0, G_OPTION_ARG_STRING, &raw.rate, "Frames a second of the output", "RATE"},
      {"output-size", 0, 0, G_OPTION_ARG_STRING, &raw.output_size,
       "Size of the output in pixels; tiles show more of the photos in a larger one",
       "WIDTHxHEIGHT"},
      {"frames", 0, 0, G_OPTION_ARG_NONE, &raw.frames,
       "INPUT is a folder of pictures or a pattern: the frames of a video", nullptr},
      {"seconds", 0, 0, G_OPTION_ARG_DOUBLE, &raw.seconds, "End after so many seconds of video",
       "S"},
      {"force", 0, 0, G_OPTION_ARG_NONE, &raw.force,
       "Replace an older file even if only a part was made", nullptr},
      {"patience", 0, 0, G_OPTION_ARG_DOUBLE, &raw.patience,
       "Give up when nothing has moved for so many seconds; 30 unless set, 0: never", "S"},
      {"reconnect", 0, 0, G_OPTION_ARG_DOUBLE, &raw.reconnect,
       "Try for so many seconds to connect again to a camera's address that is lost", "S"},
      {"software", 0, 0, G_OPTION_ARG_NONE, &raw.software,
       "Do not use hardware for decoding and encoding", nullptr},
      {"json", 0, 0, G_OPTION_ARG_NONE, &raw.json, "Print what was done as JSON", nullptr},
      {"quiet", 'q', 0, G_OPTION_ARG_NONE, &raw.quiet, "Print no progress", nullptr},
      {"dry-run", 'n', 0, G_OPTION_ARG_NONE, &raw.dry_run,
       "Only print the pipeline, as a command of gst-launch-1.0", nullptr},
      {"version", 0, 0, G_OPTION_ARG_NONE, &raw.version, "Print the version", nullptr},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &raw.inputs, nullptr, "INPUT"},
      {nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr}};
  PropertyOptions properties;
  const std::unique_ptr<GOptionContext, void (*)(GOptionContext*)> context(
      g_option_context_new(nullptr), g_option_context_free);
  g_option_context_set_summary(context.get(), kSummary);
  g_option_context_set_description(context.get(), kExamples);
  g_option_context_add_main_entries(context.get(), entries, nullptr);
  g_option_context_add_group(context.get(), properties.make_group());
  GError* error = nullptr;
  if (!g_option_context_parse(context.get(), &argc, &argv, &error)) {
    const std::string message = error->message;
    g_error_free(error);
    throw WrongUsage(message);
  }
  if (raw.version) {
    std::printf("mosaic-temporal %s\n", MOSAICTEMPORAL_VERSION);
    std::exit(kDone);
  }
  Options options = from_raw(raw);
  for (auto& property : properties.given()) options.properties.push_back(property);
  check(options);
  return options;
}

}  // namespace mosaic_program
