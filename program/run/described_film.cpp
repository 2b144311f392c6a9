// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/run/described_film.h"

#include <atomic>
#include <csignal>
#include <iterator>

#include "program/description/description.h"
#include "program/input/input_path.h"

namespace mosaic_program {
namespace {

std::atomic<bool> stopped = false;

}  // namespace

void describe_film(const Options& options, const std::string& film, bool reproducible,
                   Progress& progress) {
  struct sigaction stop {
  }, before[3];
  stop.sa_handler = [](int) { stopped = true; };
  constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  stopped = false;
  for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &stop, &before[i]);
  progress.prepare("titles and chapters");
  const std::string lost = copy_description(input_path(options.input), film,
                                            {options.start, options.end}, reproducible, stopped);
  for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before[i], nullptr);
  if (!lost.empty()) progress.say("warning: " + lost);
}

}  // namespace mosaic_program
