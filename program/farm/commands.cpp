// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/commands.h"

#include <glib.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "gst/pointers.h"
#include "program/failure.h"
#include "program/farm/job/job.h"
#include "program/farm/joining.h"
#include "program/farm/making.h"
#include "program/farm/planning.h"
#include "program/json_text.h"
#include "program/options/command_words.h"
#include "program/options/options.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

/// The exit status says whether it makes sense to try again.
int try_once(const std::function<int()>& command) {
  try {
    return command();
  } catch (const TryAgain& failure) {
    std::fprintf(stderr, "mosaic-temporal: %s\n", failure.what());
    return kTryAgain;
  }
}

/// The options of the commands, of which each has some.
struct Words {
  gchar *output = nullptr, **rest = nullptr;
  gint threads = 0;
  gboolean quiet = FALSE, json = FALSE, force = FALSE;

  Words() = default;
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() {
    g_free(output);
    g_strfreev(rest);
  }

  std::vector<std::string> given() const {
    std::vector<std::string> all;
    for (gchar** word = rest; word && *word; ++word) all.emplace_back(*word);
    return all;
  }
};

GOptionEntry quiet_entry(Words& words) {
  return {"quiet", 'q', 0, G_OPTION_ARG_NONE, &words.quiet, "Show no progress", nullptr};
}

GOptionEntry json_entry(Words& words) {
  return {"json", 0, 0, G_OPTION_ARG_NONE, &words.json, "Print what was done as JSON", nullptr};
}

GOptionEntry rest_entry(Words& words, const char* what) {
  return {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words.rest, nullptr, what};
}

constexpr GOptionEntry kEnd = {nullptr, 0, 0, G_OPTION_ARG_NONE, nullptr, nullptr, nullptr};

int join(int argc, char** argv) {
  Words words;
  const GOptionEntry entries[] = {
      {"output", 'o', 0, G_OPTION_ARG_FILENAME, &words.output,
       "The film to write: .mp4, .mkv, .mov or .webm", "FILE"},
      {"force", 0, 0, G_OPTION_ARG_NONE, &words.force,
       "Let a film in which something is missing replace an older one", nullptr},
      json_entry(words),
      quiet_entry(words),
      rest_entry(words, "FOLDER"),
      kEnd};
  read_command_words(
      "join",
      "Makes a film of the parts of a job, when all are made; FOLDER is the job's. The exit status "
      "is 75 if parts are missing.",
      entries, argc, argv);
  if (words.given().size() != 1) throw WrongUsage("join: give the job's folder");
  if (!words.output) throw WrongUsage("join: name the film to write: --output FILE");
  const JobFolder folder(words.given()[0]);
  Options output;
  output.output = words.output;
  output.quiet = words.quiet;
  output.json = words.json;
  output.force = words.force;
  return join_job(load_job(folder), folder, output);
}

int part(int argc, char** argv) {
  Words words;
  const GOptionEntry entries[] = {{"n-threads", 0, 0, G_OPTION_ARG_INT, &words.threads,
                                   "Number of threads; 0 (default): one a core", "N"},
                                  quiet_entry(words),
                                  rest_entry(words, "PART FOLDER"),
                                  kEnd};
  read_command_words(
      "part",
      "Makes one part of a job that `mosaic-temporal plan` has planned, and prints a line of JSON. "
      "PART is its number, from 0; FOLDER is the job's. A part that was made before is not made "
      "again. The exit status is 75 if it can be tried again, then or on another machine.",
      entries, argc, argv);
  const std::vector<std::string> given = words.given();
  if (given.size() != 2) throw WrongUsage("part: give a number and the job's folder");
  if (words.threads < 0)
    throw WrongUsage("--n-threads " + std::to_string(words.threads) + ": use 0 or more");
  const JobFolder folder(given[1]);
  const Job job = load_job(folder);
  const int number = part_number(job, given[0]);
  const FrameRange& drawn = job.parts[number].drawn;
  Progress progress(words.quiet, job.film[drawn.end - 1].time - job.film[drawn.begin].time);
  const PartReport report = make_part(job, folder, number, words.threads, progress);
  std::printf("%s", report.text().c_str());
  return kDone;
}

int status(int argc, char** argv) {
  Words words;
  const GOptionEntry entries[] = {json_entry(words), rest_entry(words, "FOLDER"), kEnd};
  read_command_words("status",
                     "Says which parts of a job are made; FOLDER is the job's. The exit status is "
                     "3 if some are missing.",
                     entries, argc, argv);
  if (words.given().size() != 1) throw WrongUsage("status: give the job's folder");
  const JobFolder folder(words.given()[0]);
  const Job job = load_job(folder);
  const std::vector<int> numbers = missing_parts(job, folder);
  const size_t made = job.parts.size() - numbers.size();
  const std::string missing = ranges_text(numbers);
  if (words.json)
    std::printf("{\"parts\": %zu, \"made\": %zu, \"missing\": %s}\n", job.parts.size(), made,
                json_text(missing).c_str());
  else
    std::printf("%zu of %zu parts are made%s%s\n", made, job.parts.size(),
                missing.empty() ? "" : "; missing: ", missing.c_str());
  return missing.empty() ? kDone : kNotWhole;
}

int plan(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  if (options.output.empty()) throw WrongUsage("plan: name the job's folder: --output FOLDER");
  const JobFolder folder(options.output);
  Progress progress(options.quiet, GST_CLOCK_TIME_NONE);
  const Job job = plan_job(options, folder, progress);
  if (job.parts.empty()) return kInterrupted;
  for (const std::string& loss : job.losses) progress.say("warning: " + loss);
  progress.say(std::to_string(job.film.size()) + " frames in " + std::to_string(job.parts.size()) +
               (job.parts.size() == 1 ? " part: " : " parts: ") + folder.plan());
  if (options.json)
    std::printf("{\"parts\": %zu, \"frames\": %zu}\n", job.parts.size(), job.film.size());
  return kDone;
}

}  // namespace

int plan_command(int argc, char** argv) {
  return try_once([&] { return plan(argc, argv); });
}

int part_command(int argc, char** argv) {
  return try_once([&] { return part(argc, argv); });
}

int join_command(int argc, char** argv) {
  return try_once([&] { return join(argc, argv); });
}

int status_command(int argc, char** argv) {
  return try_once([&] { return status(argc, argv); });
}

}  // namespace mosaic_program
