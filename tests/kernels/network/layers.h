// SPDX-License-Identifier: LGPL-2.1-or-later
// Layers in memory of the host, for tests that compare the kernels of the network with their
// definitions in double precision.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/network/layer.h"

namespace test {

/// Pictures in a batch.
inline constexpr int kBatch = 2;

/// Calls f(what, value) for values that are all 0, large and equal, alternating extremes, and
/// numbers of any size up to `most`; value(i) is that of element i.
template <class F>
void for_each_content(float most, F f) {
  f("zero", [](int) { return 0.0f; });
  f("equal", [=](int) { return most; });
  f("alternating", [=](int i) { return i % 2 ? most : -most; });
  f("any", [=](int i) {
    const uint32_t v = static_cast<uint32_t>(i + 1) * 2654435761u;
    return most * (static_cast<float>(v >> 8) / (1 << 23) - 1);
  });
}

/// A layer of kBatch pictures, and its memory. The border is 0.
class HostLayer {
 public:
  HostLayer(int width, int height, int channels, int border = 0)
      : layer_{nullptr, width, height, channels, border} {
    values_.resize(kBatch * layer_.picture());
    layer_.data = values_.data();
  }
  template <class Value>
  HostLayer(int width, int height, int channels, int border, Value value)
      : HostLayer(width, height, channels, border) {
    int i = 0;
    for (int picture = 0; picture < kBatch; ++picture)
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          for (int c = 0; c < channels; ++c) at(picture, y, x, c) = value(i++);
  }
  HostLayer(const HostLayer& other) : layer_(other.layer_), values_(other.values_) {
    layer_.data = values_.data();
  }
  HostLayer& operator=(const HostLayer&) = delete;

  const mt::Layer& layer() const { return layer_; }
  int rows() const { return kBatch * layer_.height; }
  float& at(int picture, int y, int x, int c) { return values_[place(picture, y, x, c)]; }
  double at(int picture, int y, int x, int c) const { return values_[place(picture, y, x, c)]; }
  /// Whether the border is still 0.
  bool border_is_empty() const {
    HostLayer copy = *this;
    for (int picture = 0; picture < kBatch; ++picture)
      for (int y = 0; y < layer_.height; ++y)
        std::fill_n(&copy.at(picture, y, 0, 0), layer_.width * layer_.channels, 0.0f);
    return std::all_of(copy.values_.begin(), copy.values_.end(), [](float v) { return v == 0; });
  }

 private:
  size_t place(int picture, int y, int x, int c) const {
    const int across = layer_.width + 2 * layer_.border, down = layer_.height + 2 * layer_.border;
    const size_t row = size_t(picture) * down + y + layer_.border;
    return (row * across + x + layer_.border) * layer_.channels + c;
  }

  mt::Layer layer_;
  std::vector<float> values_;
};

/// Calls f(picture, y, x, c) for every value of a layer.
template <class F>
void for_each_value(const HostLayer& of, F f) {
  for (int picture = 0; picture < kBatch; ++picture)
    for (int y = 0; y < of.layer().height; ++y)
      for (int x = 0; x < of.layer().width; ++x)
        for (int c = 0; c < of.layer().channels; ++c) f(picture, y, x, c);
}

}  // namespace test
