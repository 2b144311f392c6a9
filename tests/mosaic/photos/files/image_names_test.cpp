// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/files/image_names.h"

#include <gtest/gtest.h>

namespace mosaic {
namespace {

TEST(ImageName, IsRecognisedByItsExtension) {
  for (const char* name : {"a.jpg", "a.jpeg", "a.jpe", "a.jfif", "a.png", "a.webp", "a.tif",
                           "a.tiff", "a.bmp", "a.gif", "A.JPE", "/some/where/a.b.Jpg"})
    EXPECT_TRUE(is_image_name(name)) << name;
  for (const char* name : {"", "jpg", "a.mp4", "a.jpg.part", "a.jpg/b", "a.", "a.jp"})
    EXPECT_FALSE(is_image_name(name)) << name;
}

TEST(ImageName, OfNewerFormatsCountsWhereThereIsALoader) {
  EXPECT_TRUE(has_loader("image/png"));
  EXPECT_FALSE(has_loader("image/nothing"));
  for (const char* name : {"a.heic", "a.HEIF", "a.hif"}) {
    EXPECT_EQ(is_image_name(name), has_loader("image/heif")) << name;
    EXPECT_EQ(unsupported_format(name).empty(), has_loader("image/heif")) << name;
  }
  EXPECT_EQ(is_image_name("a.avif"), has_loader("image/avif"));
  EXPECT_EQ(unsupported_format("a.avif"), has_loader("image/avif") ? "" : "AVIF");
}

TEST(UnsupportedFormat, IsNamed) {
  EXPECT_EQ(unsupported_format("folder.dng/a.Cr3"), "CR3");
  EXPECT_EQ(unsupported_format("a.jxl"), "JXL");
  EXPECT_EQ(unsupported_format("a.jpg"), "");
  EXPECT_EQ(unsupported_format("a.txt"), "");
}

}  // namespace
}  // namespace mosaic
