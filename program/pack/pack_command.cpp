// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/pack/pack_command.h"

#include <glib.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "executor/worker_pool.h"
#include "gst/pointers.h"
#include "mosaic/base/error.h"
#include "mosaic/base/shape.h"
#include "mosaic/pack/make_pack.h"
#include "mosaic/pack/pack_photos.h"
#include "mosaic/photos/commonest_shape.h"
#include "program/failure.h"
#include "program/input/decoded_pixels.h"
#include "program/options/command_words.h"
#include "program/progress.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr int kMostNamed = 5;  // photos that are skipped, each with its reason

std::atomic<bool> interrupted = false;

struct Arguments {
  std::vector<std::string> photos;
  std::string output;
  mosaic::pack::PackOptions options;
  int threads = 0;
  bool has_automatic_shape = false;
  bool quiet = false, json = false;
};

void read_shape(const std::string& text, Arguments& arguments) {
  arguments.has_automatic_shape = text == "auto";
  if (arguments.has_automatic_shape) return;
  const std::optional<mosaic::Shape> shape = mosaic::read_cell_shape(text);
  if (!shape)
    throw WrongUsage("--tile-aspect-ratio " + text + ": use WIDTH:HEIGHT, like 3:2, or auto");
  arguments.options.cut.shape = *shape;
}

mosaic::Crop read_crop(const std::string& text) {
  if (text == "centre") return mosaic::Crop::kCentre;
  if (text == "detail") return mosaic::Crop::kDetail;
  throw WrongUsage("--crop " + text + ": use centre or detail");
}

Arguments read_arguments(int argc, char** argv) {
  gchar *output = nullptr, *shape = nullptr, *crop = nullptr, **photos = nullptr;
  gint largest = mosaic::pack::PackOptions().largest, threads = 0;
  gboolean quiet = FALSE, json = FALSE;
  const GOptionEntry entries[] = {
      {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
       "The pack to write; its name ends in .mospack", "FILE"},
      {"largest", 0, 0, G_OPTION_ARG_INT, &largest,
       "Keep photos at sides of up to so many pixels: 64, 128, 256, 512 (default) or 1024", "SIDE"},
      {"tile-aspect-ratio", 0, 0, G_OPTION_ARG_STRING, &shape,
       "Cut photos to this shape, like 3:2, or auto: the one that most of them have (default: 1:1)",
       "WIDTH:HEIGHT"},
      {"crop", 0, 0, G_OPTION_ARG_STRING, &crop,
       "The part to keep: centre (default), or detail, where edges and skin are", "PART"},
      {"n-threads", 0, 0, G_OPTION_ARG_INT, &threads, "Number of threads; 0 (default): one a core",
       "N"},
      {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, "Show no progress", nullptr},
      {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print what was done as JSON", nullptr},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &photos, nullptr, "PHOTOS…"},
      {nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr}};
  read_command_words(
      "pack",
      "Makes a pack of photos: one file that holds them at several sizes, opens at once and can be "
      "given to others. PHOTOS are folders and image files. Interrupted, it goes on where it "
      "stopped.",
      entries, argc, argv);
  const Owned<gchar> file(output);
  const Owned<gchar*> names(photos);
  const Owned<gchar> shape_text(shape), crop_text(crop);
  Arguments arguments;
  for (gchar** name = photos; name && *name; ++name) arguments.photos.emplace_back(*name);
  if (arguments.photos.empty()) throw WrongUsage("pack: name a folder of photos");
  if (!output) throw WrongUsage("pack: name the pack to write: --output FILE.mospack");
  arguments.output = output;
  if (!mosaic::pack::is_pack_name(arguments.output))
    throw WrongUsage(arguments.output + ": the name of a pack must end in .mospack");
  if (largest != 64 && largest != 128 && largest != 256 && largest != 512 && largest != 1024)
    throw WrongUsage("--largest " + std::to_string(largest) + ": use 64, 128, 256, 512 or 1024");
  if (threads < 0) throw WrongUsage("--n-threads " + std::to_string(threads) + ": use 0 or more");
  arguments.options.largest = largest;
  if (shape) read_shape(shape, arguments);
  if (crop) arguments.options.cut.crop = read_crop(crop);
  arguments.threads = threads;
  arguments.quiet = quiet;
  arguments.json = json;
  return arguments;
}

/// From now on, signals ask for an end after the photos that are being prepared.
void catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    std::signal(signal, [](int) { interrupted = true; });
}

/// The folder itself, or that of a photo; absolute.
std::string folder_of(const std::string& photos) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path path = fs::absolute(photos, error).lexically_normal();
  if (!path.has_filename() || !fs::is_directory(path, error)) path = path.parent_path();
  return path == path.root_path() ? "" : path.string();
}

std::string summary(const mosaic::pack::PackResult& made, const std::string& output) {
  std::string text = std::to_string(made.photos) + " photos";
  if (made.kept > 0) text += ", " + std::to_string(made.kept) + " of them packed before";
  if (made.skipped > 0) text += "; " + std::to_string(made.skipped) + " could not be read";
  return text + ": " + output + ", hash " + made.hash.text();
}

}  // namespace

int pack_command(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  // Where the decoder is that belongs to the plugin.
  g_setenv("MOSAICTEMPORAL_DECODER", decoder_program().c_str(), FALSE);
  catch_interrupts();
  Progress progress(arguments.quiet, GST_CLOCK_TIME_NONE);
  int named = 0;
  const auto warn = [&](const std::string& why) {
    if (++named <= kMostNamed) progress.say("warning: " + why);
  };
  try {
    mosaic::PhotoFiles files(interrupted);
    mosaic::pack::PackOptions options = arguments.options;
    for (const std::string& photos : arguments.photos)
      if (std::string folder = folder_of(photos);
          std::find(options.folders.begin(), options.folders.end(), folder) ==
          options.folders.end())
        options.folders.push_back(std::move(folder));
    for (const std::string& photos : arguments.photos) files.add(photos);
    const auto source = files.open();
    mt::WorkerPool workers(arguments.threads);
    if (arguments.has_automatic_shape)
      options.cut.shape = commonest_shape(*source, workers, interrupted).value_or(mosaic::Shape{});
    const mosaic::pack::PackResult made = make_pack(
        *source, arguments.output, options, workers, warn,
        [&](int done, int total) {
          progress.prepare("packing photos: " + std::to_string(int64_t{100} * done / total) + " %");
        },
        interrupted);
    progress.say(summary(made, arguments.output));
    if (arguments.json)
      std::printf("{\"photos\": %d, \"kept\": %d, \"skipped\": %d, \"hash\": \"%s\"}\n",
                  made.photos, made.kept, made.skipped, made.hash.text().c_str());
    return made.skipped > 0 ? kNotWhole : kDone;
  } catch (const mosaic::Error& error) {
    if (error.kind() != mosaic::Error::Kind::kCancelled) throw Failure(error.what());
    progress.say("stopped; the same command goes on where it was");
    return kInterrupted;
  }
}

}  // namespace mosaic_program
