// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>

#include "tests/gst/harness.h"
#include "tests/storms/storm.h"

namespace storm {
namespace {

constexpr double kLongestStop = 2;  // seconds, on an idle machine without a sanitizer
/// videotestsrc of GStreamer 1.22 writes past its memory if a picture has less than 4 columns.
constexpr int kShortestSide = 4;
/// Photos for longer frames take gigabytes.
constexpr int kMostElongated = 8;

}  // namespace

void Weather::stop(const std::string& what, const std::function<void()>& change) const {
  double seconds = 0;
  {
    const Journal::Step step(journal, what);
    change();
    seconds = step.seconds();
  }
  for (double longest = tally.longest_stop;
       seconds > longest && !tally.longest_stop.compare_exchange_weak(longest, seconds);) {
  }
  if (seconds > kLongestStop * kSlowness * load_factor())
    journal.fail(what + " took " + std::to_string(seconds) + " s");
}

std::string random_caps(Random& random, bool large) {
  const std::string format = random.pick(random.pick(element_test::format_families()));
  int width, height;
  do {
    width = random.between(kShortestSide, 320);
    height = random.between(kShortestSide, 240);
    if (large && random.one_in(4)) width = random.pick({640, 641, 1280}), height = 360;
  } while (width > kMostElongated * height || height > kMostElongated * width);
  std::string rate = std::to_string(random.pick({1, 5, 25, 30, 60, 240})) + "/1";
  if (random.one_in(8)) rate = random.pick({"30000/1001", "0/1", "2147483647/1"});
  std::string caps = "video/x-raw,format=" + format + ",width=" + std::to_string(width) +
                     ",height=" + std::to_string(height) + ",framerate=" + rate;
  if (random.one_in(8))
    caps += std::string(",pixel-aspect-ratio=") + random.pick({"1/2", "2/1", "12/11", "4/1"});
  return caps;
}

}  // namespace storm
