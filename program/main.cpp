// SPDX-License-Identifier: LGPL-2.1-or-later
// mosaic-temporal: makes a photomosaic of a video, a photo or a camera's picture.
#include <gst/gst.h>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "program/failure.h"
#include "program/farm/commands.h"
#include "program/farm/local_farm.h"
#include "program/input/media.h"
#include "program/jobs.h"
#include "program/look_sheet.h"
#include "program/options/options.h"
#include "program/options/saved_settings.h"
#include "program/pack/pack_command.h"
#include "program/pipeline/plan.h"
#include "program/plugin_folder.h"
#include "program/progress.h"
#include "program/run/described_film.h"
#include "program/run/output_file.h"
#include "program/run/run.h"
#include "program/web/serve_command.h"

namespace {

using namespace mosaic_program;

/// @param name of the file; empty: there is none
void summarise(const Result& result, bool still, const std::string& name, Progress& progress) {
  std::string text = std::to_string(result.frames) + (result.frames == 1 ? " frame" : " frames");
  if (still) text = "a picture";
  text += " of " + std::to_string(result.width) + "x" + std::to_string(result.height) + ", " +
          std::to_string(result.cells) + " cells, " + std::to_string(result.tiles) +
          " tiles, look " + result.look;
  const PhotoUse& use = result.photos;
  text += "; " + std::to_string(use.shown) + " of " + std::to_string(use.photos) + " photos shown";
  if (use.most > 1)
    text += ", up to " + std::to_string(use.most) + " times at once, the nearest " +
            std::to_string(use.nearest) + (use.nearest == 1 ? " cell" : " cells") + " apart";
  if (!result.decoder.empty()) text += "; decoded by " + result.decoder;
  text += "; drawn on the " + std::string(result.device == "cuda" ? "GPU" : "CPU");
  if (!result.encoder.empty()) text += "; encoded by " + result.encoder;
  if (!name.empty()) text += ": " + name;
  progress.say(text);
}

/// Whether something can be seen in a file.
bool can_be_played(const std::string& file) {
  try {
    look_into(file);
    return true;
  } catch (const Failure&) {
    return false;
  }
}

/// Gives the file its name if it is whole, or else a part of it another one, if there is anything.
/// @return the name; empty: there is nothing
std::string keep(OutputFile& file, const Result& result, const Plan& plan, const Options& options) {
  const bool is_whole = result.failure.empty() && result.losses.empty() && !result.interrupted;
  if (is_whole || !file.has_other_name()) {
    file.keep();
    return options.output;
  }
  if (!result.ended && (plan.still || !can_be_played(file.path()))) return {};
  return file.keep_part(options.force);
}

/// Says what was made and what is missing in it.
ExitStatus report(const Result& result, const std::string& name, const Plan& plan,
                  const Options& options, Progress& progress) {
  for (const std::string& loss : result.losses) progress.say("warning: " + loss);
  if (name.empty() && !options.show)
    throw Failure((result.failure.empty() ? "interrupted" : result.failure) +
                  "; nothing that can be played was written");
  if (name != options.output)
    progress.say("what was made is in " + name + "; " + options.output + " is as it was");
  if (!options.quiet) summarise(result, plan.still, name, progress);
  if (options.json) std::printf("%s\n", to_json(result, options.input, name).c_str());
  if (!result.failure.empty())
    progress.say("mosaic-temporal: " + result.failure + "; " + name + " ends there");
  if (!result.failure.empty() || !result.losses.empty()) return kNotWhole;
  return result.interrupted ? kInterrupted : kDone;
}

int make_mosaic(const Options& options) {
  std::optional<OutputFile> file;
  if (!options.show && !options.dry_run) file.emplace(options);
  const Plan plan = make_plan(options, file ? file->path() : options.output);
  if (options.dry_run) {
    std::printf("%s\n", plan.line.command().c_str());
    return kDone;
  }
  Progress progress(options.quiet, plan.duration);
  for (const std::string& notice : plan.notices) progress.say(notice);
  if (const std::string earlier = file ? file->begin() : ""; !earlier.empty())
    progress.say("an earlier run was cut off: what it wrote is in " + earlier);
  if (plan.live && file && file->has_other_name())
    progress.say("recording to " + file->path() + " until the end");
  const Result result = run(plan, options, progress);
  if (result.sent == 0) throw Failure("no frame was drawn");
  if (file && plan.keeps_description && result.ended && file->has_other_name())
    describe_film(options, file->path(), false, progress);
  return report(result, file ? keep(*file, result, plan, options) : "", plan, options, progress);
}

constexpr std::pair<const char*, int (*)(int, char**)> kCommands[] = {
    {"pack", pack_command}, {"serve", serve_command}, {"plan", plan_command},
    {"part", part_command}, {"join", join_command},   {"status", status_command}};

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "");
  // Whoever reads what is said may go away; the film is made nevertheless.
  std::signal(SIGPIPE, SIG_IGN);
  add_plugin_folder();
  gst_init(nullptr, nullptr);
  try {
    for (const auto& [name, command] : kCommands)
      if (argc > 1 && std::strcmp(argv[1], name) == 0) return command(argc - 1, argv + 1);
    const Options options = read_options(argc, argv);
    check_element();
    if (!options.save_config.empty()) save_settings(options);
    if (options.input.empty()) return kDone;
    if (options.compare_looks) {
      write_look_sheet(options);
      return kDone;
    }
    return make_all(options, options.jobs > 0 ? make_in_parts : make_mosaic);
  } catch (const WrongUsage& wrong) {
    std::fprintf(stderr, "mosaic-temporal: %s (see mosaic-temporal --help)\n", wrong.what());
    return kWrongUsage;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "mosaic-temporal: %s\n", failure.what());
    return kFailed;
  }
}
