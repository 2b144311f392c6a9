// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/options/options.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "gst/pointers.h"
#include "mosaic/base/list_text.h"
#include "mosaic/base/similar_word.h"
#include "program/failure.h"
#include "program/options/properties.h"
#include "program/options/property_table.h"
#include "program/options/values.h"
#include "program/output/video_encoder.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr int kWorstQuality = 63;  // of any encoder

constexpr char kSummary[] =
    "Makes a photomosaic of a video, a photo or a camera's picture out of your photos.\n\n"
    "INPUT is a video or photo file, a URI (https://, rtsp://), a camera's device\n"
    "(/dev/video0) or the word camera; with --frames a folder of numbered pictures or a\n"
    "pattern like frame-%05d.png. Give --output FILE or --show. FILE ends in .mp4, .mkv,\n"
    ".mov or .webm; in .mosaic for a mosaic as numbers of tiles, without pixels; in .png or\n"
    ".jpg for a photo, or for each frame of a video if the name has a pattern like %05d. Of\n"
    "several inputs, FILE is a folder.\n\n"
    "Other commands, each with its own --help: `mosaic-temporal pack` makes a pack of photos,\n"
    "`mosaic-temporal serve` shows a .mosaic file in a browser; `plan`, `part`, `join` and\n"
    "`status` make a film part by part, on many machines.";
constexpr char kExamples[] =
    "Examples:\n"
    "  mosaic-temporal film.mp4 --tiles ~/photos --output mosaic.mp4\n"
    "  mosaic-temporal film.mp4 --tiles ~/photos --start 1:30 --duration 20 -o part.mp4\n"
    "  mosaic-temporal portrait.jpg --tiles ~/photos --size 120x90 --output-size 6000x -o "
    "poster.png\n"
    "  mosaic-temporal camera --tiles ~/photos --show\n\n"
    "The properties of the element mosaictemporal are options, too: --help-properties shows all "
    "of\n"
    "them, with what is allowed and what is their default.";

/// What the option parser of GLib writes into.
struct Raw {
  gchar *output = nullptr, *preset = nullptr, *config = nullptr, *save_config = nullptr,
        *places = nullptr;
  gchar *rate = nullptr, *output_size = nullptr, *fit = nullptr, *codec = nullptr, *sink = nullptr;
  gchar *start = nullptr, *end = nullptr, *duration = nullptr, *seconds = nullptr;
  gchar **tiles = nullptr, **inputs = nullptr;
  gint quality = -1;
  gint jobs = 0;
  gdouble patience = -1, reconnect = 0;
  gboolean force = FALSE, show = FALSE, frames = FALSE, json = FALSE, dry_run = FALSE,
           quiet = FALSE, software = FALSE, version = FALSE, help_properties = FALSE,
           resume = FALSE, compare_looks = FALSE, fullscreen = FALSE;

  Raw() = default;
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;
  ~Raw() {
    for (gchar* text : {output, preset, config, save_config, places, rate, output_size, fit, codec,
                        sink, start, end, duration, seconds})
      g_free(text);
    for (gchar** texts : {tiles, inputs}) g_strfreev(texts);
  }

  std::vector<GOptionEntry> entries();
};

std::vector<GOptionEntry> Raw::entries() {
  return {
      {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "File to write", "FILE"},
      {"show", 0, 0, G_OPTION_ARG_NONE, &show, "Show the mosaic in a window", nullptr},
      {"fullscreen", 0, 0, G_OPTION_ARG_NONE, &fullscreen,
       "Show it on the whole screen; the keys Esc and q end it", nullptr},
      {"sink", 0, 0, G_OPTION_ARG_STRING, &sink,
       "Show it by an element of GStreamer instead, for example \"v4l2sink device=/dev/video9\"",
       "ELEMENT"},
      {"tiles", 't', 0, G_OPTION_ARG_FILENAME_ARRAY, &tiles,
       "Photos: a folder, a file or a video, and more than once for several; without it built-in "
       "tiles are used",
       "PHOTOS"},
      {"preset", 0, 0, G_OPTION_ARG_FILENAME, &preset,
       "Look: faithful (unless set), film, photos …, or a TOML file; the manual has all", "NAME"},
      {"config", 0, 0, G_OPTION_ARG_FILENAME, &config,
       "Settings from a TOML or YAML file: any property", "FILE"},
      {"save-config", 0, 0, G_OPTION_ARG_FILENAME, &save_config,
       "Write the settings to a TOML or YAML file for --config", "FILE"},
      {"places", 0, 0, G_OPTION_ARG_FILENAME, &places,
       "Write a table of which photo is shown where to a CSV file", "FILE"},
      {"start", 0, 0, G_OPTION_ARG_STRING, &start,
       "Begin at this time of the input: 90, 30.5, 1:30 or 1:02:03", "TIME"},
      {"end", 0, 0, G_OPTION_ARG_STRING, &end, "End at this time of the input", "TIME"},
      {"duration", 0, 0, G_OPTION_ARG_STRING, &duration, "End after so much of the input", "TIME"},
      {"seconds", 0, 0, G_OPTION_ARG_STRING, &seconds, "The same as --duration", "TIME"},
      {"codec", 0, 0, G_OPTION_ARG_STRING, &codec,
       "Codec of the video; h264 unless set, in .webm vp9", "h264|hevc|av1|vp9"},
      {"cq", 0, 0, G_OPTION_ARG_INT, &quality,
       "Quality of the video: 0 (best) to 51 (smallest file), to 63 with AV1 and VP9; 21 unless "
       "set",
       "N"},
      {"fps", 0, 0, G_OPTION_ARG_STRING, &rate,
       "Frames a second of the output, up to 1000; the input's unless set", "RATE"},
      {"output-size", 0, 0, G_OPTION_ARG_STRING, &output_size,
       "Size of the output in pixels, up to 16384; tiles show more of the photos in a larger one. "
       "With 6000x or x4000 the other side follows",
       "WIDTHxHEIGHT"},
      {"fit", 0, 0, G_OPTION_ARG_STRING, &fit,
       "Where --output-size has another shape than the input: crop the input (default), pad the "
       "output with black, or stretch",
       "crop|pad|stretch"},
      {"frames", 0, 0, G_OPTION_ARG_NONE, &frames,
       "INPUT is a folder of pictures or a pattern: the frames of a video", nullptr},
      {"force", 0, 0, G_OPTION_ARG_NONE, &force,
       "Let an unfinished film replace an older file, too", nullptr},
      {"patience", 0, 0, G_OPTION_ARG_DOUBLE, &patience,
       "Give up when nothing has moved for so many seconds; 30 unless set, 0: never", "S"},
      {"reconnect", 0, 0, G_OPTION_ARG_DOUBLE, &reconnect,
       "Try for so many seconds to connect again to a network camera that was lost", "S"},
      {"software", 0, 0, G_OPTION_ARG_NONE, &software, "Do not choose NVIDIA's decoder and encoder",
       nullptr},
      {"jobs", 'j', 0, G_OPTION_ARG_INT, &jobs,
       "Divide a film into parts, and have so many processes make them", "N"},
      {"compare-looks", 0, 0, G_OPTION_ARG_NONE, &compare_looks,
       "Write one picture with a frame of the input in all looks", nullptr},
      {"resume", 0, 0, G_OPTION_ARG_NONE, &resume,
       "Skip inputs whose mosaic is newer than they are", nullptr},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print what was done as JSON", nullptr},
      {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "Print no progress", nullptr},
      {"dry-run", 'n', 0, G_OPTION_ARG_NONE, &dry_run,
       "Only print the pipeline, as a command of gst-launch-1.0", nullptr},
      {"help-properties", 0, 0, G_OPTION_ARG_NONE, &help_properties,
       "Show all properties of the element, with ranges and defaults", nullptr},
      {"version", 0, 0, G_OPTION_ARG_NONE, &version, "Print the version", nullptr},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &inputs, nullptr, "INPUT …"},
      {nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr}};
}

std::string text_of(const gchar* text) {
  return text ? text : "";
}

/// Several sources are one text for the element.
std::string tile_location(gchar** tiles) {
  if (!tiles[1]) return tiles[0];
  std::string all;
  for (; *tiles; ++tiles) {
    std::string one = *tiles;
    std::error_code error;
    if (one.find(';') != one.npos && std::filesystem::exists(one, error)) {
      // The mark between sources can be in a URI only as a number.
      const Owned<gchar> uri(gst_filename_to_uri(one.c_str(), nullptr));
      one = uri.get();
      for (size_t at = 0; (at = one.find(';')) != one.npos;) one.replace(at, 1, "%3B");
    }
    all += (all.empty() ? "" : ";") + one;
  }
  return all;
}

/// Throws Failure if there is no such look.
void check_preset(const std::string& name) {
  std::vector<std::string> names;
  for (const ProfileInfo& profile : profile_table()) names.emplace_back(profile.name);
  std::error_code error;
  if (std::find(names.begin(), names.end(), name) != names.end() ||
      std::filesystem::exists(name, error))
    return;
  throw Failure("--preset " + name + ": there is no profile " + name +
                mosaic::did_you_mean(name, names) + ": use " + mosaic::choice_text(names) +
                ", or the path of a TOML file");
}

Fit parse_fit(const std::string& text) {
  if (text == "crop") return Fit::kCrop;
  if (text == "pad") return Fit::kPad;
  if (text == "stretch") return Fit::kStretch;
  throw WrongUsage("--fit " + text + ": use crop, pad or stretch");
}

std::string parse_codec(const std::string& name) {
  if (name == "h265") return "hevc";
  std::vector<std::string> names;
  for (const Codec& codec : codecs()) names.push_back(codec.name);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw WrongUsage("--codec " + name + mosaic::did_you_mean(name, names) + ": use " +
                     mosaic::choice_text(names));
  return name;
}

/// Reads which part of the input is wanted.
void read_part(const Raw& raw, Options& options) {
  if (raw.start) options.start = parse_time("--start", raw.start);
  if (raw.end) options.end = parse_time("--end", raw.end);
  if ((raw.end != nullptr) + (raw.duration != nullptr) + (raw.seconds != nullptr) > 1)
    throw WrongUsage("only one of --end, --duration and --seconds can be used");
  if (raw.duration) options.end = options.start + parse_time("--duration", raw.duration);
  if (raw.seconds)
    if (const GstClockTime seconds = parse_time("--seconds", raw.seconds); seconds > 0)
      options.end = options.start + seconds;
  if (options.end <= options.start)
    throw WrongUsage(raw.duration
                         ? "--duration must be longer than 0"
                         : "--end must be later than " + text_of(raw.start ? "--start" : "0"));
}

void check(const Options& options) {
  const bool only_saves = options.input.empty() && !options.save_config.empty();
  if (only_saves) return;
  if (options.input.empty()) throw WrongUsage("no input was given");
  if (options.output.empty() && !options.show)
    throw WrongUsage("no output was given: use --output FILE or --show");
  if (!options.output.empty() && options.show)
    throw WrongUsage("--output and --show (also --fullscreen and --sink) exclude each other");
  if (!options.codec.empty() && options.show) throw WrongUsage("--codec is for files");
  if (options.show && (options.inputs.size() > 1 || options.compare_looks || options.resume))
    throw WrongUsage("--show shows one input, and neither --compare-looks nor --resume");
  if (!options.places.empty() &&
      (options.inputs.size() > 1 || options.compare_looks || options.jobs > 0))
    throw WrongUsage("--places is for one mosaic that one process makes");
  if (options.compare_looks && options.inputs.size() > 1)
    throw WrongUsage("--compare-looks takes one input");
}

Options from_raw(const Raw& raw) {
  Options options;
  for (gchar** input = raw.inputs; input && *input; ++input) options.inputs.emplace_back(*input);
  if (!options.inputs.empty()) options.input = options.inputs[0];
  options.output = text_of(raw.output);
  options.save_config = text_of(raw.save_config);
  options.places = text_of(raw.places);
  options.resume = raw.resume;
  options.jobs = raw.jobs;
  if (raw.jobs < 0) throw WrongUsage("--jobs " + std::to_string(raw.jobs) + ": use 1 or more");
  options.compare_looks = raw.compare_looks;
  if (raw.codec) options.codec = parse_codec(raw.codec);
  options.sink = text_of(raw.sink);
  options.fullscreen = raw.fullscreen;
  if (raw.sink && options.sink.empty()) throw WrongUsage("--sink needs the name of an element");
  if (raw.sink && raw.fullscreen) throw WrongUsage("--sink and --fullscreen exclude each other");
  options.show = raw.show || raw.fullscreen || raw.sink;
  options.frames = raw.frames;
  options.json = raw.json;
  options.dry_run = raw.dry_run;
  options.quiet = raw.quiet;
  options.software = raw.software;
  if (raw.quality > kWorstQuality || raw.quality < -1)
    throw WrongUsage("--cq " + std::to_string(raw.quality) + ": use 0 (best) to " +
                     std::to_string(kWorstQuality) + " (smallest)");
  if (raw.quality >= 0) options.quality = raw.quality;
  if (raw.rate) options.frames_per_second = parse_rate("--fps", raw.rate);
  if (raw.output_size) options.output_size = parse_size("--output-size", raw.output_size);
  if (raw.fit) options.fit = parse_fit(raw.fit);
  read_part(raw, options);
  options.force = raw.force;
  options.reconnect = raw.reconnect;
  if (raw.patience >= 0) options.patience = raw.patience;
  if (raw.preset) check_preset(raw.preset);
  if (raw.preset) options.properties.emplace_back("profile-name", raw.preset);
  if (raw.config) options.properties.emplace_back("config-location", raw.config);
  if (raw.tiles) options.properties.emplace_back("tile-location", tile_location(raw.tiles));
  return options;
}

/// What is wrong with the command line. Of an unknown option, GLib says only that.
std::string explain(const GError& error, const std::vector<GOptionEntry>& entries) {
  const std::string message = error.message;
  const size_t start = message.find('-');
  if (!g_error_matches(&error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION) ||
      start == message.npos)
    return message;
  const std::string written = message.substr(start, message.find_first_of("= ", start) - start);
  std::vector<std::string> names = PropertyOptions::names();
  for (const GOptionEntry& entry : entries)
    if (entry.long_name && *entry.long_name) names.emplace_back(entry.long_name);
  return "there is no option " + written + mosaic::did_you_mean(written, names, "--");
}

}  // namespace

Options read_options(int argc, char** argv) {
  Raw raw;
  const std::vector<GOptionEntry> entries = raw.entries();
  PropertyOptions properties;
  const std::unique_ptr<GOptionContext, void (*)(GOptionContext*)> context(
      g_option_context_new(nullptr), g_option_context_free);
  g_option_context_set_summary(context.get(), kSummary);
  g_option_context_set_description(context.get(), kExamples);
  g_option_context_add_main_entries(context.get(), entries.data(), nullptr);
  properties.add_to(context.get());
  GError* failure = nullptr;
  if (!g_option_context_parse(context.get(), &argc, &argv, &failure)) {
    const Owned<GError> error(failure);
    throw WrongUsage(explain(*error, entries));
  }
  if (raw.help_properties) std::printf("%s", PropertyOptions::help().c_str());
  if (raw.version) std::printf("mosaic-temporal %s\n", MOSAICTEMPORAL_VERSION);
  if (raw.help_properties || raw.version) std::exit(kDone);
  Options options = from_raw(raw);
  for (auto& property : properties.given()) options.properties.push_back(property);
  check(options);
  return options;
}

}  // namespace mosaic_program
