// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/job/window_places.h"

#include <algorithm>

namespace mosaic_program {
namespace {

/// The frames before a fade, and those after it, with which it is compared.
constexpr int kAround = 10;
/// By how many levels two mosaics of the same frames differ in the mean, when one is of a window
/// and one of the window before: measured on the demo's clips.
constexpr double kBetweenMosaics = 13;

/// Means of parts of a list.
class Means {
 public:
  explicit Means(std::span<const float> values) : sums_(values.size() + 1) {
    for (size_t i = 0; i < values.size(); ++i) sums_[i + 1] = sums_[i] + values[i];
  }

  /// Of [begin, end), as far as it is inside the list and not its first value.
  double of(int begin, int end) const {
    begin = std::max(begin, 1);
    end = std::min(end, static_cast<int>(sums_.size()) - 1);
    return begin < end ? (sums_[end] - sums_[begin]) / (end - begin) : 0;
  }

 private:
  std::vector<double> sums_;
};

/// How much the mosaic moves in a fade, for how much it moves around it.
double unevenness(const Means& changes, int begin, int overlap) {
  const double fade = kBetweenMosaics / std::max(overlap, 1);
  const int end = begin + overlap;
  const double around =
      (changes.of(begin - kAround, begin) + changes.of(end, end + kAround)) / 2 + fade;
  return (changes.of(begin, std::max(end, begin + 1)) + fade) / around;
}

}  // namespace

std::vector<int> place_windows(std::span<const float> changes,
                               const mosaic::WindowOptions& windows) {
  const Means means(changes);
  const int overlap = windows.frames_overlap;
  const int step = windows.frames - overlap;
  std::vector<int> begins{0};
  while (begins.back() + windows.frames < std::ssize(changes)) {
    int place = begins.back() + step;
    double least = unevenness(means, place, overlap);
    for (int other = place - 1; other >= begins.back() + step - step / 4; --other)
      if (const double here = unevenness(means, other, overlap); here < least) {
        least = here;
        place = other;
      }
    begins.push_back(place);
  }
  return begins;
}

}  // namespace mosaic_program
