// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mosaic {

/// A part of a dimension: [begin, begin + size).
struct Range {
  int begin, size;

  int end() const { return begin + size; }
  bool operator==(const Range&) const = default;
};

/// One dimension of a video, cut into overlapping windows, and how much each counts where they
/// overlap: its weight rises over the overlap with the window before and falls over that with the
/// window after, linearly. Weights are integers which add up to kOne at each position, so that what
/// is joined does not depend on an order of summation.
class WindowAxis {
 public:
  static constexpr int kOne = 1 << 14;

  /// Width or height. Windows begin every size - overlap; the last one ends with the dimension.
  /// @param size of a window; 0, or at least `length`: there is one window
  /// @param overlap less than size
  static WindowAxis of_space(int length, int size, int overlap);

  /// Time. Every window but the first begins a frame before its place in `begins`. It has the
  /// weight 0 there: it is what the frames after it continue. Each ends `overlap` frames after the
  /// next one's place, the last one with the dimension.
  /// @param begins rising from 0, less than length
  /// @param overlap at least 0
  static WindowAxis of_time(int length, std::span<const int> begins, int overlap);

  int length() const { return length_; }
  std::span<const Range> windows() const { return windows_; }
  /// [windows()[window].size]
  std::span<const uint16_t> weights(int window) const { return weights_[window]; }

 private:
  WindowAxis(int length, std::span<const int> begins, int overlap, int before);

  int length_;
  std::vector<Range> windows_;
  std::vector<std::vector<uint16_t>> weights_;
};

}  // namespace mosaic
