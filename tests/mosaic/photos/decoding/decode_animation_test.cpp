// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// decode_animation(), which is in photo_decode.cpp because it shares all that is done to a picture
/// with decode_photo().
#include <gmock/gmock.h>

#include <algorithm>

#include "mosaic/base/error.h"
#include "mosaic/photos/decoding/photo_decode.h"
#include "tests/mosaic/photos/photo_files.h"

namespace mosaic {
namespace {

/// The pictures of an animation from one of them on, until so many were taken.
std::vector<Bytes> decode_pictures(const Bytes& file, int first = 0, size_t most = 100) {
  std::vector<Bytes> pictures;
  decode_animation(file, kTileLimits, first, [&](PhotoSize size, const uint8_t* rgb) {
    pictures.emplace_back(rgb, rgb + 3 * size.pixels());
    return pictures.size() < most;
  });
  return pictures;
}

TEST(DecodeAnimation, GivesThePicturesOfAnAnimation) {
  const Bytes gif = animated_gif(), white(12, 255);
  const Bytes first = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
  EXPECT_THAT(decode_pictures(gif), testing::ElementsAre(first, white));
  EXPECT_THAT(decode_pictures(gif, 1), testing::ElementsAre(white));
  EXPECT_THAT(decode_pictures(gif, 0, 1), testing::ElementsAre(first));
  EXPECT_THAT(decode_pictures(gif, 2), testing::IsEmpty());
}

TEST(DecodeAnimation, RefusesDamagedAnimations) {
  const Bytes gif = animated_gif();
  for (size_t size = 0; size < gif.size() - 1; ++size) {
    const Bytes part(gif.begin(), gif.begin() + static_cast<ptrdiff_t>(size));
    try {
      EXPECT_LE(decode_pictures(part).size(), 2u) << size;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::kRead) << size;
    }
  }
}

// The loader would write before the beginning of its memory.
TEST(DecodeAnimation, RefusesPicturesBeyondTheEdges) {
  const Bytes gif = animated_gif();
  const auto frame = std::find(gif.begin() + 13, gif.end(), ',');  // the first, without a palette
  ASSERT_NE(frame, gif.end());
  const auto at = static_cast<size_t>(frame - gif.begin());
  for (const auto& [offset, value] : {std::pair{1, 1}, {1, 200}, {3, 1}, {5, 0}, {5, 3}, {7, 0}}) {
    Bytes changed = gif;
    changed[at + offset] = static_cast<uint8_t>(value);
    try {
      decode_pictures(changed);
      ADD_FAILURE() << offset << ", " << value;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("edges")) << offset << ", " << value;
    }
  }
}

}  // namespace
}  // namespace mosaic
