// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Photo sources that need no files, and a load that records what it reports.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cpu/cpu_executor.h"
#include "mosaic/base/error.h"
#include "mosaic/pool/pool.h"

namespace mosaic {

/// Photos of noise, a few of them broken.
class NoiseSource : public PhotoSource {
 public:
  explicit NoiseSource(int count, std::set<int> broken = {}, int width = 30, int height = 24)
      : count_(count), broken_(std::move(broken)), width_(width), height_(height) {}
  int count() const override { return count_; }
  std::string name(int index) const override { return "noise-" + std::to_string(index); }
  std::string fingerprint(int index) const override {
    return prints ? name(index) + " " + version : "";
  }
  Photo decode(int index) const override {
    const int number = ++decoded;
    if (cancel_at > 0 && number >= cancel_at) {
      // Other workers wait, however late the one that cancels gets a processor.
      if (number == cancel_at) cancelled = true;
      while (!cancelled) std::this_thread::yield();
    }
    if (no_memory) throw std::bad_alloc();
    if (broken_.count(index)) throw Error(Error::Kind::kRead, name(index) + " is broken");
    Photo photo{width_, height_, std::vector<uint8_t>(size_t{3} * width_ * height_)};
    uint32_t seed = static_cast<uint32_t>(index) * 7919 + 17;
    for (uint8_t& v : photo.rgb)
      v = static_cast<uint8_t>((seed = seed * 1664525u + 1013904223u) >> 24);
    return photo;
  }

  std::string version = "1";
  bool prints = true;
  bool no_memory = false;
  int cancel_at = 0;  ///< sets `cancelled` at this decode; 0: never
  mutable std::atomic<int> decoded{0};
  mutable std::atomic<bool> cancelled{false};

 private:
  int count_;
  std::set<int> broken_;
  int width_, height_;
};

/// Loads a pool; keeps the warnings and the progress reported meanwhile.
struct Load {
  std::shared_ptr<const Pool> pool;
  std::vector<std::string> warnings;
  std::vector<int> done;

  Load(const PhotoSource& source, const PoolOptions& options, int threads = 2,
       const std::atomic<bool>& cancelled = false) {
    const auto caller = std::this_thread::get_id();
    const auto executor = mt::make_cpu_executor(threads);
    pool = load_pool(
        source, options, *executor,
        [&](const PoolProgress& progress) {
          EXPECT_EQ(std::this_thread::get_id(), caller);
          EXPECT_EQ(progress.total, source.count());
          done.push_back(progress.done);
        },
        [&](const std::string& text) {
          EXPECT_EQ(std::this_thread::get_id(), caller);
          warnings.push_back(text);
        },
        cancelled);
  }
};

template <class T>
std::vector<uint8_t> bytes_of(std::span<const T> span) {
  const auto* begin = reinterpret_cast<const uint8_t*>(span.data());
  return {begin, begin + span.size_bytes()};
}

/// Expects two pools to be the same, byte for byte.
inline void expect_same(const Pool& a, const Pool& b) {
  ASSERT_EQ(a.photos(), b.photos());
  EXPECT_EQ(a.variants(), b.variants());
  EXPECT_EQ(a.side(), b.side());
  EXPECT_TRUE(a.draw_size() == b.draw_size());
  for (int i = 0; i < a.photos(); ++i) EXPECT_EQ(a.name(i), b.name(i));
  EXPECT_TRUE(bytes_of(a.pixels()) == bytes_of(b.pixels()));
  EXPECT_TRUE(bytes_of(a.features()) == bytes_of(b.features()));
  EXPECT_TRUE(bytes_of(a.residuals()) == bytes_of(b.residuals()));
  EXPECT_TRUE(bytes_of(a.stats()) == bytes_of(b.stats()));
  EXPECT_TRUE(bytes_of(a.grays()) == bytes_of(b.grays()));
}

}  // namespace mosaic
