// SPDX-License-Identifier: LGPL-2.1-or-later
// Frames and pools that the core tests use.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include "executor/executor.h"
#include "kernels/views.h"
#include "mosaic/pool/pool.h"

namespace test {

/// A packed RGB frame.
struct RgbFrame {
  RgbFrame(int w, int h) : width(w), height(h), pixels(size_t(w) * h * 3) {}

  uint8_t* at(int x, int y) { return &pixels[(size_t(y) * width + x) * 3]; }
  mt::FrameView view() {
    mt::FrameView v;
    v.kind = mt::PixelKind::kRgb;
    v.width = width;
    v.height = height;
    for (int i = 0; i < 3; ++i) v.component[i] = {pixels.data() + i, width * 3, 3, 0, 0};
    return v;
  }

  int width, height;
  std::vector<uint8_t> pixels;
};

/// Gradients with a bright disc that moves by 3 pixels a frame.
inline RgbFrame moving_disc(int width, int height, int frame) {
  RgbFrame f(width, height);
  const int cx = width / 4 + 3 * frame, cy = height / 2, radius = height / 4;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const bool disc = (x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius;
      uint8_t* p = f.at(x, y);
      p[0] = disc ? 240 : 40 + 120 * x / width;
      p[1] = disc ? 200 : 90 + 100 * y / height;
      p[2] = disc ? 30 : 200 - 150 * x / width;
    }
  return f;
}

inline RgbFrame noise(int width, int height, unsigned seed) {
  RgbFrame f(width, height);
  std::mt19937 random(seed);
  for (uint8_t& v : f.pixels) v = static_cast<uint8_t>(random());
  return f;
}

/// Writes value(c, x, y) to pixel (x, y) of plane c.
template <class F>
void fill(const mt::Planes& p, F value) {
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < p.height; ++y)
      for (int x = 0; x < p.width; ++x)
        p.plane[c][y * p.stride + x] = static_cast<uint8_t>(value(c, x, y));
}

/// Writes a frame to planes of its size.
inline void show(const RgbFrame& frame, const mt::Planes& p) {
  fill(p, [&](int c, int x, int y) { return frame.pixels[(size_t(y) * p.width + x) * 3 + c]; });
}

/// The picture in planes, as packed RGB.
inline RgbFrame frame_of(const mt::Planes& p) {
  RgbFrame frame(p.width, p.height);
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < p.width; ++x)
      for (int c = 0; c < 3; ++c) frame.at(x, y)[c] = p.plane[c][y * p.stride + x];
  return frame;
}

/// Loads the built-in pool.
inline std::shared_ptr<const mosaic::Pool> load_procedural_pool(mt::Executor& executor, int side,
                                                                mt::PixelSize draw_size,
                                                                bool augment) {
  mosaic::PoolOptions options;
  options.side = side;
  options.draw_size = draw_size;
  options.augment = augment;
  options.cache_location = "";
  const std::atomic<bool> cancelled{false};
  return mosaic::load_pool(
      *mosaic::make_procedural_photos(), options, executor, [](const mosaic::PoolProgress&) {},
      [](const std::string&) {}, cancelled);
}

/// The built-in pool, loaded only once for each set of arguments, as loading takes longer than most
/// tests. To be called from one thread only.
inline std::shared_ptr<const mosaic::Pool> procedural_pool(mt::Executor& executor, int side,
                                                           mt::PixelSize draw_size,
                                                           bool augment = true) {
  static std::map<std::tuple<int, int, int, bool>, std::shared_ptr<const mosaic::Pool>> pools;
  auto& pool = pools[{side, draw_size.width, draw_size.height, augment}];
  if (!pool) pool = load_procedural_pool(executor, side, draw_size, augment);
  return pool;
}

}  // namespace test
