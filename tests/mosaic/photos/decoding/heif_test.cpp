// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// More of photo_decode_test.cpp: photos in HEIF and AVIF, for which gdk-pixbuf's loaders are
/// packages of their own.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "mosaic/base/error.h"
#include "mosaic/photos/decoding/photo_decode.h"
#include "mosaic/photos/files/image_names.h"
#include "mosaic/photos/photo.h"
#include "tests/mosaic/photos/decoding/decoded.h"
#include "tests/mosaic/photos/photo_files.h"

namespace mosaic {
namespace {

// 64x48 pixels, each (3 x, 3 y, 128); made with heif-enc -q 60.
constexpr char kHeic[] =
    "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA"
    "AAAAAAAAAAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAEAAMAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEA"
    "AAAAAAAAlQACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAV"
    "aW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAA"
    "AQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAA"
    "AwAgAAADACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAQAAAADAAAAAQcGl4"
    "aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAAJ1t"
    "ZGF0AAAAkSgBrwng6WzU6CbiRDEyegzRbW+YeWPrwp8LJxQTcj2oKd0TG96imcHvVvLdHpWemlHf47HkHmeAth5y"
    "AOIx0Fys2P0OeSGL0Wo9R+4mNNci8VW1QQdmDqDurKqIvMEAAxUhH8UZjR7eUnWCxM4MR99Y578aRYV9HUvuR/X5"
    "milOhyP+zk89d0uUAjg4jytkJW8=";
constexpr char kAvif[] =
    "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA"
    "AAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAVAAAACNpaW5mAAAA"
    "AAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIABoAAAAAMYXYx"
    "Q4EADAAAAAAUaXNwZQAAAAAAAABAAAAAMAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYIDhAAA"
    "AFxtZGF0EgAKCRgVf72CBAQNCDJFFkAGGGGEAL9dSmstXGP7Y3NurnxgCbczoXFn+r19Jp782b/sFj3VKUAT6kkG"
    "ImhiO3Gw2K9yWCHl83rzOP4NIeFc8nWA";

struct Sample {
  const char *type, *base64;

  Bytes bytes() const {
    gsize size = 0;
    guchar* data = g_base64_decode(base64, &size);
    Bytes bytes(data, data + size);
    g_free(data);
    return bytes;
  }
};
void PrintTo(const Sample& sample, std::ostream* out) {
  *out << sample.type;
}

class Heif : public testing::TestWithParam<Sample> {
 protected:
  void SetUp() override {
    if (!has_loader(GetParam().type)) GTEST_SKIP() << "no loader for " << GetParam().type;
  }
};

TEST_P(Heif, IsRead) {
  const Photo photo = decoded(GetParam().bytes());
  ASSERT_EQ(photo.width, 64);
  ASSERT_EQ(photo.height, 48);
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) {
      const uint8_t* rgb = &photo.rgb[(y * 64 + x) * 3];
      ASSERT_NEAR(rgb[0], 3 * x, 16) << x << ", " << y;
      ASSERT_NEAR(rgb[1], 3 * y, 16) << x << ", " << y;
      ASSERT_NEAR(rgb[2], 128, 16) << x << ", " << y;
    }
}

TEST_P(Heif, ThatEndsTooEarlyIsRefused) {
  const Bytes whole = GetParam().bytes();
  for (size_t size = 16; size < whole.size(); size += 7) {
    try {
      decoded(Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)));
      ADD_FAILURE() << size << " bytes were decoded";
    } catch (const Error& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
    }
  }
}

TEST_P(Heif, ThatCannotBeDecodedIsRefusedWithAReason) {
  Bytes bytes = GetParam().bytes();
  for (const std::string_view codec : {"hvc1", "av01"}) {
    const auto at = std::search(bytes.begin(), bytes.end(), codec.begin(), codec.end());
    if (at != bytes.end()) std::fill_n(at, codec.size(), 'x');
  }
  try {
    decoded(bytes);
    ADD_FAILURE() << "decoded";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("unknown error")));
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Heif,
                         testing::Values(Sample{"image/heif", kHeic}, Sample{"image/avif", kAvif}),
                         [](const auto& info) { return std::string(info.param.type).substr(6); });

TEST(HeifBrands, ThatAreNoPicturesAreRefused) {
  // A video: brands isom, mp42.
  const Bytes video = {0,   0,   0, 20, 'f', 't', 'y', 'p', 'i', 's',
                       'o', 'm', 0, 0,  2,   0,   'm', 'p', '4', '2'};
  try {
    decoded(video);
    ADD_FAILURE() << "decoded";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("not a JPEG"));
  }
}

}  // namespace
}  // namespace mosaic
