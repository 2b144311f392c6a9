// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/base/shape.h"

#include <gtest/gtest.h>

namespace mosaic {
namespace {

TEST(Shape, IsReadInLowestTerms) {
  EXPECT_EQ(read_cell_shape("1:1"), (Shape{1, 1}));
  EXPECT_EQ(read_cell_shape("3:2"), (Shape{3, 2}));
  EXPECT_EQ(read_cell_shape("1920/1080"), (Shape{16, 9}));
  EXPECT_EQ(read_cell_shape("1:4"), (Shape{1, 4}));
  EXPECT_EQ(read_cell_shape("4:1"), (Shape{4, 1}));
}

TEST(Shape, OthersAreRefused) {
  for (const char* text : {"", "1", ":", "3:", ":2", "0:1", "1:0", "-3:2", "3:-2", "3 :2", "3:2 ",
                           "3:2:1", "4.5:3", "auto", "5:1", "1:5", "257:256", "99999999999:1"})
    EXPECT_EQ(read_cell_shape(text), std::nullopt) << text;
}

TEST(Shape, HasTwoBytesInFiles) {
  EXPECT_EQ(bytes_of({1, 1}), (ShapeBytes{0, 0}));
  EXPECT_EQ(bytes_of({16, 9}), (ShapeBytes{16, 9}));
  for (const Shape shape : {Shape{1, 1}, Shape{3, 2}, Shape{1, 4}, Shape{255, 254}})
    EXPECT_EQ(read_shape(bytes_of(shape)), shape);
  for (const ShapeBytes bytes : {ShapeBytes{0, 1}, {1, 0}, {1, 1}, {6, 4}, {5, 1}, {1, 255}})
    EXPECT_EQ(read_shape(bytes), std::nullopt) << int{bytes[0]} << ":" << int{bytes[1]};
}

}  // namespace
}  // namespace mosaic
