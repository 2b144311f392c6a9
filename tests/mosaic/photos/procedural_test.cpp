// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <thread>

#include "mosaic/photos/photo.h"
#include "mosaic/photos/photo_cut.h"
#include "mosaic/photos/resize_part.h"

namespace mosaic {
namespace {

constexpr int kTile = 24;

/// A picture as a small tile, and its statistics.
struct Tile {
  std::array<double, 3> mean{};
  std::array<double, 3> deviation{};

  explicit Tile(const Photo& photo) {
    std::vector<uint8_t> pixels(3 * kTile * kTile);
    resize_part(photo, shown_part(photo), kTile, pixels.data());
    for (int c = 0; c < 3; ++c) {
      double sum = 0, squares = 0;
      for (int i = 0; i < kTile * kTile; ++i) {
        const double v = pixels[c * kTile * kTile + i];
        sum += v;
        squares += v * v;
      }
      mean[c] = sum / (kTile * kTile);
      deviation[c] = std::sqrt(std::max(0.0, squares / (kTile * kTile) - mean[c] * mean[c]));
    }
  }
};

class Procedural : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto source = make_procedural_photos();
    photos_ = new std::vector<Photo>;
    for (int i = 0; i < source->count(); ++i) photos_->push_back(source->decode(i));
  }
  static void TearDownTestSuite() { delete photos_; }
  static inline std::vector<Photo>* photos_ = nullptr;
};

TEST_F(Procedural, HasEnoughDistinctPicturesOfOneSize) {
  EXPECT_GE(photos_->size(), 512u);
  std::set<std::vector<uint8_t>> different;
  for (const Photo& photo : *photos_) {
    ASSERT_EQ(photo.width, 96);
    ASSERT_EQ(photo.height, 96);
    ASSERT_EQ(photo.rgb.size(), size_t{3} * 96 * 96);
    different.insert(photo.rgb);
  }
  EXPECT_EQ(different.size(), photos_->size());
}

TEST_F(Procedural, MatchesItsGoldenHash) {
  XXH3_state_t* state = XXH3_createState();
  XXH3_64bits_reset(state);
  for (const Photo& photo : *photos_) XXH3_64bits_update(state, photo.rgb.data(), photo.rgb.size());
  // If the pictures change on purpose, change this number and the version in their fingerprint.
  EXPECT_EQ(XXH3_64bits_digest(state), 0x68fb8441c99595bbu);
  XXH3_freeState(state);
  EXPECT_EQ(make_procedural_photos()->fingerprint(0), "built-in 1 0");
}

TEST_F(Procedural, CoversTheColourSpace) {
  std::vector<Tile> tiles(photos_->begin(), photos_->end());
  const auto nearest = [&tiles](double r, double g, double b) {
    double best = 1e9;
    for (const Tile& tile : tiles)
      best = std::min(best, std::hypot(tile.mean[0] - r, tile.mean[1] - g, tile.mean[2] - b));
    return best;
  };
  // In a uniform 8x8x8 lattice over 10..245, half the diagonal of a cell is 29. The corners of the
  // colour cube are 17 away from it.
  for (int r = 0; r <= 255; r += 15)
    for (int g = 0; g <= 255; g += 15)
      for (int b = 0; b <= 255; b += 15)
        ASSERT_LT(nearest(r, g, b), 30) << r << " " << g << " " << b;
  // Greys, which are frequent in pictures, are covered more densely.
  for (int v = 0; v <= 255; v += 3) ASSERT_LT(nearest(v, v, v), 18.1) << v;
}

TEST_F(Procedural, HasStructureInASmallTile) {
  for (size_t i = 0; i < photos_->size(); ++i) {
    const Tile tile((*photos_)[i]);
    EXPECT_GT(*std::max_element(tile.deviation.begin(), tile.deviation.end()), 8.5) << i;
  }
}

TEST_F(Procedural, HasUniqueNamesAndThreadSafeDecoding) {
  const auto source = make_procedural_photos();
  std::set<std::string> names, prints;
  for (int i = 0; i < source->count(); ++i) {
    names.insert(source->name(i));
    prints.insert(source->fingerprint(i));
  }
  EXPECT_EQ(names.size(), photos_->size());
  EXPECT_EQ(prints.size(), photos_->size());
  std::vector<std::jthread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 64; ++i) EXPECT_EQ(source->decode(i).rgb, (*photos_)[i].rgb);
    });
}

}  // namespace
}  // namespace mosaic
