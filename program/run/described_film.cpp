// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/run/described_film.h"

#include <atomic>
#include <iterator>

#include "program/description/description.h"
#include "program/input/input_path.h"
#include "program/run/signals.h"

namespace mosaic_program {
namespace {

std::atomic<bool> stopped = false;

}  // namespace

void describe_film(const Options& options, const std::string& film, bool reproducible,
                   Progress& progress) {
  struct sigaction stop {
  }, before[std::size(kEndSignals)];
  stop.sa_handler = [](int) { stopped = true; };
  stopped = false;
  for (size_t i = 0; i < std::size(kEndSignals); ++i) sigaction(kEndSignals[i], &stop, &before[i]);
  progress.prepare("titles and chapters");
  const std::string lost = copy_description(input_path(options.input), film,
                                            {options.start, options.end}, reproducible, stopped);
  for (size_t i = 0; i < std::size(kEndSignals); ++i)
    sigaction(kEndSignals[i], &before[i], nullptr);
  if (!lost.empty()) progress.say("warning: " + lost);
}

}  // namespace mosaic_program
