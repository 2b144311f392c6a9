// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/windows/window_axis.h"

#include <algorithm>
#include <numeric>

namespace mosaic {
namespace {

/// Has weights add up to WindowAxis::kOne. At least one is above 0.
void normalise(std::span<int64_t> weights) {
  const int64_t sum = std::accumulate(weights.begin(), weights.end(), int64_t{0});
  int64_t left = WindowAxis::kOne;
  for (int64_t& weight : weights) {
    weight = weight * WindowAxis::kOne / sum;
    left -= weight;
  }
  *std::max_element(weights.begin(), weights.end()) += left;
}

}  // namespace

WindowAxis WindowAxis::of_space(int length, int size, int overlap) {
  std::vector<int> begins{0};
  while (size != 0 && begins.back() + size < length)
    begins.push_back(begins.back() + size - overlap);
  return WindowAxis(length, begins, overlap, 0);
}

WindowAxis WindowAxis::of_time(int length, std::span<const int> begins, int overlap) {
  return WindowAxis(length, begins, overlap, 1);
}

/// @param before how many positions before its place in `begins` a window starts
WindowAxis::WindowAxis(int length, std::span<const int> begins, int overlap, int before)
    : length_(length) {
  for (size_t i = 0; i < begins.size(); ++i) {
    const int first = begins[i] - (i > 0 ? before : 0);
    const int end = i + 1 < begins.size() ? std::min(begins[i + 1] + overlap, length) : length;
    windows_.push_back({first, end - first});
  }

  const int count = static_cast<int>(windows_.size());
  // In units of 1 / (overlap + 1). With `before`, the rise begins with 0.
  const auto raw = [&](int window, int position) {
    const Range& range = windows_[window];
    int64_t weight = overlap + 1;
    if (window > 0) weight = std::min<int64_t>(weight, position - range.begin + 1 - before);
    if (window + 1 < count) weight = std::min<int64_t>(weight, range.end() - position);
    return weight;
  };
  weights_.resize(count);
  for (int window = 0; window < count; ++window) weights_[window].resize(windows_[window].size);
  std::vector<int64_t> weights;
  for (int position = 0, first = 0; position < length; ++position) {
    while (windows_[first].end() <= position) ++first;
    int last = first;
    while (last + 1 < count && windows_[last + 1].begin <= position) ++last;
    weights.clear();
    for (int window = first; window <= last; ++window) weights.push_back(raw(window, position));
    normalise(weights);
    for (int window = first; window <= last; ++window)
      weights_[window][position - windows_[window].begin] =
          static_cast<uint16_t>(weights[window - first]);
  }
}

}  // namespace mosaic
