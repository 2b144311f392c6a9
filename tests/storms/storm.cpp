// SPDX-License-Identifier: LGPL-2.1-or-later
// Sets everything about the element that can be set, to anything, at any time, for as long as
// asked; the same seed takes the same steps. Nothing may crash, hang, leak or fail without a
// message.
#include <gst/gst.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "tests/storms/messages.h"
#include "tests/storms/storm.h"
#include "tests/storms/supervise.h"

namespace {

constexpr int kPatience = 20;      // seconds that a step may take on an idle machine
constexpr int kMostMemory = 2048;  // MiB, without a sanitizer

struct Arguments {
  std::string kind = "pipelines";
  uint64_t seed = 1;
  double seconds = 10;
  int rounds = 0;      ///< 0: as many as fit into the time
  int processes = 1;   ///< at the same time, each with a seed one higher than the one before
  std::string folder;  ///< of the surroundings; empty: a new one
};

int usage() {
  std::fputs(
      "usage: storm [pipelines|harness] [--seed N] [--seconds S] [--rounds N]\n"
      "             [--processes N] [--folder FOLDER]\n"
      "Ends after S seconds, or after N rounds. Each round has its own seed, which depends on N.\n"
      "Several processes share their photos, caches and other files, in FOLDER if it is given.\n",
      stderr);
  return 2;
}

/// One round after the other, each with a new pipeline.
int run(const Arguments& arguments, const std::string& journal_path, int argc, char** argv) {
  storm::Journal journal(journal_path, kPatience);
  const storm::Surroundings surroundings(arguments.folder);
  g_setenv("XDG_CACHE_HOME", surroundings.path("user-cache").c_str(), TRUE);
  g_setenv("XDG_DATA_HOME", surroundings.path("user-data").c_str(), TRUE);
  gst_init(&argc, &argv);
  storm::make_criticals_fatal(journal);
  storm::Tally tally;
  storm::Random seeds(arguments.seed);
  const gint64 start = g_get_monotonic_time();
  int round = 0;
  while (arguments.rounds ? round < arguments.rounds
                          : g_get_monotonic_time() - start < arguments.seconds * 1e6) {
    storm::Random random(seeds.fork());
    journal.note("round " + std::to_string(++round));
    const storm::Weather weather{journal, surroundings, random, tally};
    if (arguments.kind == "harness")
      storm::harness_storm(weather);
    else
      storm::pipeline_storm(weather);
  }
  const int memory = storm::peak_memory();
  std::printf("%s seed=%llu rounds=%d steps=%lld frames=%lld restarts=%lld memory=%d stop=%.2f\n",
              arguments.kind.c_str(), static_cast<unsigned long long>(arguments.seed), round,
              static_cast<long long>(journal.steps()), static_cast<long long>(tally.frames),
              static_cast<long long>(tally.restarts), memory, tally.longest_stop.load());
  if (storm::kSlowness == 1 && memory > kMostMemory)
    journal.fail("memory was " + std::to_string(memory) + " MiB");
  if (tally.frames == 0) journal.fail("no frame came out");
  return 0;
}

int run_supervised(const Arguments& arguments, int argc, char** argv) {
  const std::string journal = "/tmp/mosaictemporal-storm-" + std::to_string(getpid()) + ".log";
  const std::string repeat = std::string(argv[0]) + " " + arguments.kind + " --seed " +
                             std::to_string(arguments.seed) + " --seconds " +
                             std::to_string(arguments.seconds);
  return storm::supervise(journal, repeat, [&] { return run(arguments, journal, argc, argv); });
}

/// Processes that share their files. Returns 1 if one of them failed.
int run_several(Arguments arguments, int argc, char** argv) {
  char made[] = "/tmp/mosaictemporal-storm-XXXXXX";
  const bool owned = arguments.folder.empty();
  if (owned && !mkdtemp(made)) {
    std::perror(made);
    return 1;
  }
  if (owned) arguments.folder = made;
  for (int i = 0; i < arguments.processes; ++i, ++arguments.seed)
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);  // ends with this process
      std::exit(run_supervised(arguments, argc, argv));
    }
  int result = 0;
  for (int status; wait(&status) > 0;)
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) result = 1;
  std::error_code error;
  if (owned) std::filesystem::remove_all(arguments.folder, error);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (word == "pipelines" || word == "harness")
      arguments.kind = word;
    else if (word == "--seed" && value)
      arguments.seed = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--seconds" && value)
      arguments.seconds = std::strtod(argv[++i], nullptr);
    else if (word == "--rounds" && value)
      arguments.rounds = std::atoi(argv[++i]);
    else if (word == "--processes" && value)
      arguments.processes = std::atoi(argv[++i]);
    else if (word == "--folder" && value)
      arguments.folder = argv[++i];
    else
      return usage();
  }
  return arguments.processes > 1 ? run_several(arguments, argc, argv)
                                 : run_supervised(arguments, argc, argv);
}
