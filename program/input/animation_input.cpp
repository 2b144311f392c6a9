// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/input/animation_input.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "mosaic/photos/decoding/decoder_protocol.h"

namespace mosaic_program {
namespace {

// GIF counts hundredths of a second, so that of equal times some are 10 ms longer.
constexpr int kRounding = 10, kShortestStep = 20;  // ms
// Beyond these, rates may not fit into GStreamer's fractions.
constexpr int kLongestStep = 1000;     // ms
constexpr int kMostAveraged = 100000;  // pictures

/// Time from one frame to the next, `time` ms for `frames` of them.
struct Step {
  int time, frames;
};

/// The average if that is the rate which the animation was made with; or else one that all pictures
/// share, or which is so high that each is shown.
Step step_of(const std::vector<int>& delays) {
  const auto [least, most] = std::minmax_element(delays.begin(), delays.end());
  const int count = static_cast<int>(delays.size());
  if (*most - *least <= kRounding && *least <= kLongestStep && count <= kMostAveraged)
    return {std::accumulate(delays.begin(), delays.end(), 0), count};
  int common = 0;
  for (const int delay : delays) common = std::gcd(common, delay);
  return {common < kShortestStep ? *least : common, 1};
}

}  // namespace

GstClockTime AnimationInput::duration() const {
  const std::vector<int>& delays = animation_.delays();
  return std::accumulate(delays.begin(), delays.end(), GstClockTime{0}) * GST_MSECOND;
}

std::shared_ptr<DecoderProcess> AnimationInput::link(PipelineLine& line, GstClockTime start) const {
  const Step step = step_of(animation_.delays());
  const int64_t microseconds = int64_t{1000} * step.time / step.frames;
  auto process = std::make_shared<DecoderProcess>(
      std::vector<std::string>{mosaic::decoder::kAnimation, animation_.path(),
                               std::to_string(start / GST_USECOND), std::to_string(microseconds)});
  process->link(line, animation_.size());
  const int divisor = std::gcd(1000 * step.frames, step.time);
  line.set("framerate", std::to_string(1000 * step.frames / divisor) + "/" +
                            std::to_string(step.time / divisor));
  return process;
}

}  // namespace mosaic_program
