// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/commonest_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <exception>
#include <vector>

namespace mosaic {
namespace {

constexpr int kMostPhotos = 48;
constexpr std::array<Shape, 9> kShapes = {
    {{16, 9}, {3, 2}, {4, 3}, {5, 4}, {1, 1}, {4, 5}, {3, 4}, {2, 3}, {9, 16}}};

int nearest(const Shape& shape) {
  const auto off = [&](const Shape& other) {
    const double ratio = static_cast<double>(shape.width) * other.height /
                         (static_cast<double>(shape.height) * other.width);
    return std::max(ratio, 1 / ratio);
  };
  return static_cast<int>(
      std::min_element(kShapes.begin(), kShapes.end(),
                       [&](const Shape& a, const Shape& b) { return off(a) < off(b); }) -
      kShapes.begin());
}

}  // namespace

std::optional<Shape> commonest_shape(const PhotoSource& source, mt::WorkerPool& workers,
                                     const std::atomic<bool>& cancelled) {
  const int count = std::min(source.count(), kMostPhotos);
  std::vector<int> found(count, -1);
  workers.run(count, 1, [&](int, int i, int) {
    if (cancelled) return;
    try {
      found[i] = nearest(source.shape(static_cast<int>(int64_t{i} * source.count() / count)));
    } catch (const std::exception&) {
      // Loading the photos will tell.
    }
  });
  std::array<int, kShapes.size()> votes{};
  for (const int shape : found)
    if (shape >= 0) ++votes[shape];
  const auto most = std::max_element(votes.begin(), votes.end());
  if (*most == 0) return {};
  return kShapes[most - votes.begin()];
}

}  // namespace mosaic
