// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/commonest_shape.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "mosaic/base/error.h"

namespace mosaic {
namespace {

/// Photos of given sizes; those of 0x0 cannot be decoded.
class Sized : public PhotoSource {
 public:
  explicit Sized(std::vector<Shape> sizes) : sizes_(std::move(sizes)) {}
  int count() const override { return static_cast<int>(sizes_.size()); }
  std::string name(int index) const override { return std::to_string(index); }
  std::string fingerprint(int) const override { return {}; }
  Photo decode(int index) const override {
    const auto [width, height] = sizes_[index];
    if (width == 0) throw Error(Error::Kind::kRead, "broken");
    return {width, height, std::vector<uint8_t>(size_t{3} * width * height)};
  }

 private:
  std::vector<Shape> sizes_;
};

std::optional<Shape> commonest(std::vector<Shape> sizes, bool stop = false) {
  const std::atomic<bool> cancelled = stop;
  mt::WorkerPool workers(2);
  return commonest_shape(Sized(std::move(sizes)), workers, cancelled);
}

TEST(CommonestShape, IsThatOfMostPhotos) {
  EXPECT_EQ(commonest({{60, 40}, {61, 40}, {40, 30}}), (Shape{3, 2}));
  EXPECT_EQ(commonest({{40, 60}, {40, 61}, {0, 0}, {60, 40}}), (Shape{2, 3}));
  EXPECT_EQ(commonest({{192, 108}}), (Shape{16, 9}));
  EXPECT_EQ(commonest({{1000, 10}}), (Shape{16, 9}));
  EXPECT_EQ(commonest({{64, 64}, {63, 64}}), (Shape{1, 1}));
}

TEST(CommonestShape, OfEquallyCommonOnesIsTheWidest) {
  EXPECT_EQ(commonest({{30, 40}, {40, 30}}), (Shape{4, 3}));
}

TEST(CommonestShape, LooksAtPhotosFromAllOverALargePool) {
  std::vector<Shape> sizes(1000, Shape{40, 30});
  for (size_t i = 0; i < 300; ++i) sizes[i] = {30, 30};
  EXPECT_EQ(commonest(sizes), (Shape{4, 3}));
}

TEST(CommonestShape, NeedsAPhoto) {
  EXPECT_EQ(commonest({{0, 0}}), std::nullopt);
  EXPECT_EQ(commonest({{60, 40}}, true), std::nullopt);
}

}  // namespace
}  // namespace mosaic
