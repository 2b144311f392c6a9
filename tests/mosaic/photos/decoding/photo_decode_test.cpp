// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/decoding/photo_decode.h"

#include <gmock/gmock.h>

#include <cstring>
#include <thread>

#include "mosaic/base/error.h"
#include "mosaic/photos/photo.h"
#include "tests/mosaic/photos/decoding/decoded.h"
#include "tests/mosaic/photos/photo_files.h"

namespace mosaic {
namespace {

using testing::HasSubstr;

/// The message of the Error that decoding throws.
std::string error_of(const Bytes& bytes) {
  try {
    decoded(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::kRead);
    return error.what();
  }
  ADD_FAILURE() << "the file was decoded";
  return {};
}

bool have_saver(const char* type) {
  GSList* formats = gdk_pixbuf_get_formats();
  bool found = false;
  for (GSList* f = formats; f; f = f->next) {
    gchar* name = gdk_pixbuf_format_get_name(static_cast<GdkPixbufFormat*>(f->data));
    found |= !std::strcmp(name, type) &&
             gdk_pixbuf_format_is_writable(static_cast<GdkPixbufFormat*>(f->data));
    g_free(name);
  }
  g_slist_free(formats);
  return found;
}

/// A JPEG with an Exif segment (Exif 2.3, 4.5.4) whose first directory is the orientation alone.
Bytes with_orientation(const Bytes& jpeg, uint8_t orientation) {
  const Bytes segment = {0xff, 0xe1, 0, 34, 'E', 'x',         'i', 'f', 0,    0,    'M', 'M',
                         0,    42,   0, 0,  0,   8,           0,   1,   0x01, 0x12, 0,   3,
                         0,    0,    0, 1,  0,   orientation, 0,   0,   0,    0,    0,   0};
  Bytes out(jpeg.begin(), jpeg.begin() + 2);
  out.insert(out.end(), segment.begin(), segment.end());
  out.insert(out.end(), jpeg.begin() + 2, jpeg.end());
  return out;
}

TEST(Decode, ReadsLosslessFormatsExactly) {
  for (const char* type : {"png", "tiff", "bmp"})
    for (const auto& [width, height] : {std::pair{13, 42}, {33, 5}, {1, 1}}) {
      const Photo photo = decoded(encode(type, width, height, noise_pixel));
      ASSERT_EQ(photo.width, width) << type;
      ASSERT_EQ(photo.height, height) << type;
      ASSERT_EQ(photo.rgb.size(), size_t{3} * width * height);
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          for (int c = 0; c < 3; ++c)
            ASSERT_EQ(photo.rgb[(y * width + x) * 3 + c], noise_pixel(x, y, c)) << type;
    }
}

TEST(Decode, ReadsLossyFormatsApproximately) {
  const auto smooth = [](int x, int y, int c) { return c == 0 ? 3 * x : c == 1 ? 3 * y : 128; };
  for (const char* type : {"jpeg", "webp"}) {
    if (!have_saver(type)) continue;  // gdk-pixbuf's WebP loader is a separate package
    const Photo photo = decoded(encode(type, 64, 48, smooth));
    ASSERT_EQ(photo.width, 64) << type;
    ASSERT_EQ(photo.height, 48) << type;
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 64; ++x)
        for (int c = 0; c < 3; ++c)
          ASSERT_NEAR(photo.rgb[(y * 64 + x) * 3 + c], smooth(x, y, c), 16) << type;
  }
}

TEST(Decode, TakesTheFirstFrameOfAnAnimation) {
  const Photo photo = decoded(animated_gif());
  EXPECT_EQ(photo.width, 2);
  EXPECT_EQ(photo.rgb, (Bytes{255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255}));
}

TEST(Decode, IgnoresWhatFollowsTheEndOfAGif) {
  const Bytes gif = animated_gif();
  Bytes longer = gif;
  const Bytes large_frame = {0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 0};
  longer.insert(longer.end(), large_frame.begin(), large_frame.end());
  EXPECT_EQ(decoded(longer).rgb, decoded(gif).rgb);
}

TEST(Decode, ReadsSixteenBitGrey) {
  // A 2x2 PNG with the values 0x0000, 0x80ff, 0xff00, 0x1234.
  const Photo photo = decoded(
      {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
       0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x10, 0x00, 0x00, 0x00, 0x00, 0x07,
       0x4d, 0x8e, 0xbb, 0x00, 0x00, 0x00, 0x12, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60,
       0x60, 0x68, 0xf8, 0xcf, 0xf0, 0x9f, 0x41, 0xc8, 0x04, 0x00, 0x0d, 0xd8, 0x02, 0xc5, 0xfd,
       0xe3, 0xda, 0x7a, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82});
  const uint8_t high[] = {0x00, 0x80, 0xff, 0x12};
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(photo.rgb[i], high[i / 3], 1) << i;
}

TEST(Decode, BlendsTransparencyOverWhite) {
  const auto pixel = [](int x, int, int c) { return c == 3 ? 85 * x : c == 0 ? 200 : 10; };
  const Photo photo = decoded(encode("png", 4, 1, pixel, true));
  for (int x = 0; x < 4; ++x)
    for (int c = 0; c < 3; ++c) {
      const double alpha = 85 * x / 255.0;
      EXPECT_NEAR(photo.rgb[3 * x + c], pixel(x, 0, c) * alpha + 255 * (1 - alpha), 0.5 + 1e-9);
    }
}

TEST(Decode, AppliesEveryExifOrientation) {
  // The upright picture: 32 wide, 16 high; top left red, top right green, bottom left blue, bottom
  // right white. For each orientation, Exif tells on which side row 0 and column 0 of the stored
  // picture lie.
  constexpr int kWidth = 32, kHeight = 16;
  const auto upright = [](int x, int y, int c) {
    const int corner = (y >= kHeight / 2) * 2 + (x >= kWidth / 2);
    return corner == 3 || corner == c ? 255 : 0;  // 0 red, 1 green, 2 blue
  };
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const bool turned = orientation >= 5;
    const auto stored = [&](int x, int y, int c) {
      const int right = kWidth - 1, bottom = kHeight - 1;
      switch (orientation) {
        case 2:
          return upright(right - x, y, c);  // row 0 top, column 0 right
        case 3:
          return upright(right - x, bottom - y, c);  // bottom, right
        case 4:
          return upright(x, bottom - y, c);  // bottom, left
        case 5:
          return upright(y, x, c);  // left, top
        case 6:
          return upright(right - y, x, c);  // right, top
        case 7:
          return upright(right - y, bottom - x, c);  // right, bottom
        case 8:
          return upright(y, bottom - x, c);  // left, bottom
        default:
          return upright(x, y, c);  // top, left
      }
    };
    const Bytes jpeg = encode("jpeg", turned ? kHeight : kWidth, turned ? kWidth : kHeight, stored);
    const Photo photo = decoded(with_orientation(jpeg, static_cast<uint8_t>(orientation)));
    ASSERT_EQ(photo.width, kWidth) << orientation;
    ASSERT_EQ(photo.height, kHeight) << orientation;
    for (int y : {3, 12})
      for (int x : {6, 25})
        for (int c = 0; c < 3; ++c)
          EXPECT_NEAR(photo.rgb[(y * kWidth + x) * 3 + c], upright(x, y, c), 60)
              << "orientation " << orientation << " at " << x << "," << y;
  }
}

TEST(Decode, RejectsTruncatedFiles) {
  std::vector<std::pair<const char*, Bytes>> files = {{"gif", animated_gif()}};
  for (const char* type : {"jpeg", "png", "tiff", "bmp", "webp"})
    if (have_saver(type)) files.emplace_back(type, encode(type, 61, 47, noise_pixel));
  for (const auto& [type, whole] : files) {
    EXPECT_NO_THROW(decoded(whole)) << type;
    // A JPEG without the two bytes of its end has all pixels.
    const size_t cut = std::string(type) == "jpeg" ? 4 : 2;
    for (size_t length : {whole.size() - cut, whole.size() * 9 / 10, whole.size() / 2,
                          whole.size() / 10, size_t{40}, size_t{12}, size_t{4}, size_t{1}}) {
      if (length >= whole.size()) continue;
      SCOPED_TRACE(std::string(type) + " cut to " + std::to_string(length));
      error_of(Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(length)));
    }
  }
}

TEST(Decode, ReadsJpegsWithoutTheMarkOfTheirEnd) {
  const Bytes whole = encode("jpeg", 61, 47, noise_pixel);
  EXPECT_EQ(decoded(Bytes(whole.begin(), whole.end() - 2)).rgb, decoded(whole).rgb);
  EXPECT_EQ(decoded(Bytes(whole.begin(), whole.end() - 1)).rgb, decoded(whole).rgb);
}

TEST(Decode, ReadsJpegsWithStrayBytesBetweenSegments) {
  const Bytes whole = encode("jpeg", 61, 47, noise_pixel);
  Bytes stray = whole;
  const size_t second = 4 + 256 * whole[4] + whole[5];
  stray.insert(stray.begin() + static_cast<ptrdiff_t>(second), {0, 0xff, 0, 0x12});
  EXPECT_EQ(decoded(stray).rgb, decoded(whole).rgb);
}

TEST(Decode, IgnoresDataAfterThePicture) {
  for (const char* type : {"jpeg", "png", "bmp"}) {
    Bytes bytes = encode(type, 20, 20, noise_pixel);
    bytes.insert(bytes.end(), 100000, 0x55);
    EXPECT_EQ(decoded(bytes).width, 20) << type;
  }
}

TEST(Decode, RejectsBytesThatAreNoPictures) {
  EXPECT_THAT(error_of({}), HasSubstr("empty"));
  EXPECT_THAT(error_of({'h', 'e', 'l', 'l', 'o', '\n'}), HasSubstr("not a JPEG"));
  const std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>";
  EXPECT_THAT(error_of(Bytes(svg.begin(), svg.end())), HasSubstr("not a JPEG"));
}

/// The peak size of this process's address space, in MiB.
int64_t peak_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmPeak:", 0) == 0) return std::stoll(line.substr(7)) / 1024;
  return 0;
}

/// Overwrites the bytes that begin `offset` after the start of the first occurrence of `mark`.
void patch(Bytes& bytes, const Bytes& mark, size_t offset, const Bytes& by) {
  const auto at = std::search(bytes.begin(), bytes.end(), mark.begin(), mark.end());
  ASSERT_NE(at, bytes.end());
  std::copy(by.begin(), by.end(), at + static_cast<ptrdiff_t>(offset));
}

TEST(Decode, RejectsHugeSizesBeforeAllocating) {
  // A PNG whose header says 8193x8192: one column more than 64 megapixels.
  const Bytes png = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d,
                     0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x20, 0x01, 0x00, 0x00, 0x20, 0x00,
                     0x08, 0x02, 0x00, 0x00, 0x00, 0x12, 0x0a, 0x36, 0x30, 0x00, 0x00, 0x00,
                     0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0xa0, 0x3d, 0x00,
                     0x00, 0x00, 0x64, 0x00, 0x01, 0x86, 0x64, 0x3c, 0x35, 0x00, 0x00, 0x00,
                     0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
  Bytes jpeg = encode("jpeg", 16, 16, noise_pixel);
  patch(jpeg, {0xff, 0xc0}, 5, {0xff, 0xdc, 0xff, 0xdc});  // height, width: libjpeg's maximum
  Bytes gif = animated_gif();
  patch(gif, {'9', 'a'}, 2, {0xff, 0xff, 0xff, 0xff});
  // Frames that are larger than the picture.
  Bytes frame = animated_gif(), later_frame = frame;
  patch(frame, {0x2c, 0, 0, 0, 0}, 5, {0xff, 0xff, 0xff, 0xff});
  const size_t first = frame.size() / 2;  // beyond the first frame's beginning
  Bytes second(later_frame.begin() + static_cast<ptrdiff_t>(first), later_frame.end());
  patch(second, {0x2c, 0, 0, 0, 0}, 5, {0xff, 0xff, 0xff, 0xff});
  std::copy(second.begin(), second.end(), later_frame.begin() + static_cast<ptrdiff_t>(first));
  // The same frame after an extension that begins with an empty sub-block. If it ended there, a
  // comment would follow that contains the frame.
  Bytes hidden = frame;
  const Bytes start = {0x2c, 0, 0, 0, 0}, extension = {0x21, 0xf9, 0, 3, 0x21, 0xfe, 0xff, 0};
  hidden.insert(std::search(hidden.begin(), hidden.end(), start.begin(), start.end()),
                extension.begin(), extension.end());
  Bytes tiff = encode("tiff", 16, 16, noise_pixel);
  // Tags 256 and 257, of type SHORT: width and height.
  patch(tiff, {0x00, 0x01, 3, 0, 1, 0, 0, 0}, 8, {0xff, 0x2f});
  patch(tiff, {0x01, 0x01, 3, 0, 1, 0, 0, 0}, 8, {0xff, 0x2f});
  // Big-endian, with a directory of these two alone, of type LONG.
  const Bytes long_tiff = {'M', 'M', 0, 42, 0,    0,    0,    8,    0,    2, 1, 0, 0,
                           4,   0,   0, 0,  1,    0,    0,    0xff, 0xff, 1, 1, 0, 4,
                           0,   0,   0, 1,  0x7f, 0xff, 0xff, 0xff, 0,    0, 0, 0};
  std::vector<std::pair<std::string, Bytes>> files = {
      {"huge.png", png},    {"huge.jpg", jpeg},         {"huge.gif", gif},
      {"frame.gif", frame}, {"later.gif", later_frame}, {"hidden.gif", hidden},
      {"huge.tif", tiff},   {"long.tif", long_tiff}};
  if (have_saver("webp")) {
    Bytes webp = encode("webp", 16, 16, noise_pixel);
    patch(webp, {0x9d, 0x01, 0x2a}, 3, {0xff, 0x3f, 0xff, 0x3f});  // 16383x16383
    files.emplace_back("huge.webp", webp);
  }
  for (const auto& [name, bytes] : files) {
    SCOPED_TRACE(name);
    const int64_t before = peak_mib();
    const std::string message = error_of(bytes);
    EXPECT_LT(peak_mib() - before, 150);
    EXPECT_THAT(message, HasSubstr("megapixels"));
  }
}

// libwebp takes the rest of such a file for a bit stream, here one of VP8L that says 16384x16384.
TEST(Decode, RejectsWebpWhoseFirstChunkIsOfUnknownType) {
  Bytes bytes = {'R', 'I', 'F', 'F', 12, 0, 0, 0, 'W', 'E', 'B', 'P', 0x2f, 0xff, 0xff, 0xff, 0x0f};
  for (const size_t length : {40, 25}) {
    SCOPED_TRACE(length);
    bytes.resize(length);
    const int64_t before = peak_mib();
    EXPECT_THAT(error_of(bytes), HasSubstr("first chunk"));
    EXPECT_LT(peak_mib() - before, 150);
  }
}

TEST(Decode, RejectsAHugeWebpThatEndsAfterItsSize) {
  const Bytes bytes = {'R', 'I', 'F', 'F', 17, 0, 0, 0,    'W',  'E',  'B',  'P', 'V',
                       'P', '8', 'L', 5,   0,  0, 0, 0x2f, 0xff, 0xff, 0xff, 0x0f};
  const int64_t before = peak_mib();
  EXPECT_THAT(error_of(bytes), HasSubstr("megapixels"));
  EXPECT_LT(peak_mib() - before, 150);
}

TEST(Decode, RejectsBitmapsThatClaimMoreThanTheyHave) {
  // 4x2 pixels, 8 bits each, run-length coded, without a palette.
  const Bytes whole = {'B', 'M', 62, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 4, 0, 0,
                       0,   2,   0,  0, 0, 1, 0, 8, 0, 1, 0,  0, 0, 8, 0,  0, 0, 0, 0, 0, 0,
                       0,   0,   0,  0, 1, 0, 0, 0, 0, 0, 0,  0, 4, 0, 0,  0, 4, 0, 0, 1};
  // Where the pixels begin; the size of the header; the number of colours.
  for (const size_t field : {10, 14, 46}) {
    SCOPED_TRACE(field);
    Bytes bytes = whole;
    for (const size_t i : {1, 2, 3}) bytes[field + i] = 0x7f;
    if (field == 46) bytes[field + 3] = 0xff;  // negative for the loader
    const int64_t before = peak_mib();
    EXPECT_THAT(error_of(bytes), HasSubstr("ends too early"));
    EXPECT_LT(peak_mib() - before, 150);
  }
}

TEST(Decode, SurvivesDamagedFiles) {
  uint32_t seed = 1;
  const auto next = [&seed] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  for (const char* type : {"jpeg", "png", "tiff", "bmp"}) {
    const Bytes whole = encode(type, 24, 24, noise_pixel);
    for (int round = 0; round < 150; ++round) {
      Bytes bytes = whole;
      for (int i = 0; i < 4; ++i)
        bytes[next() % (round < 75 ? 64 : bytes.size())] ^= next() % 255 + 1;
      try {
        const Photo photo = decoded(bytes);
        EXPECT_EQ(photo.rgb.size(), size_t{3} * photo.width * photo.height);
        EXPECT_LE(int64_t{photo.width} * photo.height, kMaxPhotoPixels);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::kRead);
      }
    }
  }
}

TEST(Decode, IsThreadSafe) {
  const Bytes file = encode("jpeg", 40, 30, noise_pixel);
  const Photo expected = decoded(file);
  std::vector<std::vector<Photo>> photos(4);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : photos)
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) mine.push_back(decoded(file));
      });
  }
  for (const auto& mine : photos)
    for (const Photo& photo : mine) ASSERT_EQ(photo.rgb, expected.rgb);
}

}  // namespace
}  // namespace mosaic
