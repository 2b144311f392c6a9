// SPDX-License-Identifier: LGPL-2.1-or-later
// mosaic-temporal: makes a photomosaic of a video, a photo or a camera's picture.
#include <gst/gst.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "program/failure.h"
#include "program/jobs.h"
#include "program/look_sheet.h"
#include "program/options.h"
#include "program/options/saved_settings.h"
#include "program/pipeline/frame_files.h"
#include "program/pipeline/plan.h"
#include "program/plugin_folder.h"
#include "program/progress.h"
#include "program/run.h"

namespace {

using namespace mosaic_program;

/// Pictures with numbers in their names are written in place, everything else to another name
/// first, so that a failure loses nothing.
bool is_replaced(const Options& options) {
  return !options.show && !is_frame_pattern(options.output);
}

/// The file that is written until it is complete. It has the same end, which says its kind. Of a
/// long name, the beginning stands for it, in whole characters.
std::string partial_name(const std::string& output) {
  constexpr size_t kLongestName = 255;  // bytes, of most file systems
  const std::filesystem::path path(output);
  const std::string end = ".part" + path.extension().string();
  std::string stem = "." + path.stem().string();
  if (stem.size() + end.size() > kLongestName) {
    size_t size = kLongestName - end.size();
    while (size > 1 && (stem[size] & 0xC0) == 0x80) --size;
    stem.resize(size);
  }
  return (path.parent_path() / (stem + end)).string();
}

/// Throws Failure if no file can be made there.
void check_folder(const std::string& output) {
  const std::string folder = std::filesystem::path(output).parent_path().string();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0)
    throw Failure(output + " cannot be written: " + g_strerror(errno));
}

void summarise(const Result& result, bool still, const Options& options, Progress& progress) {
  std::string text = std::to_string(result.frames) + (result.frames == 1 ? " frame" : " frames");
  if (still) text = "a picture";
  text += " of " + std::to_string(result.width) + "x" + std::to_string(result.height) + ", " +
          std::to_string(result.cells) + " cells, " + std::to_string(result.tiles) + " tiles";
  if (!result.decoder.empty()) text += "; decoded by " + result.decoder;
  text += "; drawn on the " + std::string(result.device == "cuda" ? "GPU" : "CPU");
  if (!result.encoder.empty()) text += "; encoded by " + result.encoder;
  if (!options.output.empty()) text += ": " + options.output;
  progress.say(text);
}

int make_mosaic(const Options& options) {
  const bool replaced = is_replaced(options) && !options.dry_run;
  if (!options.show && !options.dry_run) check_folder(options.output);
  const std::string file = replaced ? partial_name(options.output) : options.output;
  const Plan plan = make_plan(options, file);
  if (options.dry_run) {
    std::printf("%s\n", plan.line.command().c_str());
    return kDone;
  }
  Progress progress(options.quiet, plan.duration);
  for (const std::string& notice : plan.notices) progress.say(notice);
  Result result;
  std::error_code error;
  try {
    result = run(plan, options, progress);
    if (result.frames == 0) throw Failure("no frame was drawn");
  } catch (...) {
    if (replaced) std::filesystem::remove(file, error);
    throw;
  }
  if (replaced) {
    std::filesystem::rename(file, options.output, error);
    if (error) throw Failure(options.output + ": " + error.message());
  }
  if (!options.quiet) summarise(result, plan.still, options, progress);
  if (options.json) std::printf("%s\n", to_json(result).c_str());
  return result.interrupted ? kInterrupted : kDone;
}

}  // namespace

int main(int argc, char** argv) {
  std::setlocale(LC_ALL, "");
  add_plugin_folder();
  gst_init(nullptr, nullptr);
  try {
    const Options options = read_options(argc, argv);
    check_element();
    if (!options.save_config.empty()) save_settings(options);
    if (options.input.empty()) return kDone;
    if (options.compare_looks) {
      write_look_sheet(options);
      return kDone;
    }
    return make_all(options, make_mosaic);
  } catch (const WrongUsage& wrong) {
    std::fprintf(stderr, "mosaic-temporal: %s (see mosaic-temporal --help)\n", wrong.what());
    return kWrongUsage;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "mosaic-temporal: %s\n", failure.what());
    return kFailed;
  }
}
