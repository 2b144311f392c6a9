// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/formats/photo_format.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>

#include "tests/mosaic/photos/photo_files.h"

namespace mosaic {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

Bytes bytes_of(std::string_view text) {
  return Bytes(text.begin(), text.end());
}

std::string type_of(std::string_view text) {
  const char* type = photo_format(bytes_of(text)).type;
  return type ? type : "";
}

void append(Bytes& to, std::string_view text) {
  to.insert(to.end(), text.begin(), text.end());
}

void append_number(Bytes& to, uint32_t value, bool big) {
  for (int i = 0; i < 4; ++i) to.push_back(static_cast<uint8_t>(value >> 8 * (big ? 3 - i : i)));
}

/// Exif data whose only tag is the orientation.
std::string exif(char orientation, bool big) {
  std::string data = big ? "MM\0*\0\0\0\10\0\1\1\22\0\3\0\0\0\1\0\0\0\0\0\0\0\0"s
                         : "II*\0\10\0\0\0\1\0\22\1\3\0\1\0\0\0\0\0\0\0\0\0\0\0"s;
  data.at(big ? 19 : 18) = orientation;
  return data;
}

/// A chunk of PNG without a right check.
void append_png_chunk(Bytes& to, std::string_view type, std::string_view data) {
  append_number(to, static_cast<uint32_t>(data.size()), true);
  append(to, type);
  append(to, data);
  append_number(to, 0, true);
}

void append_webp_chunk(Bytes& to, std::string_view type, std::string_view data) {
  append(to, type);
  append_number(to, static_cast<uint32_t>(data.size()), false);
  append(to, data);
  if (data.size() % 2) to.push_back(0);
}

Bytes png(std::initializer_list<std::pair<std::string_view, std::string_view>> chunks) {
  Bytes file = bytes_of("\x89PNG\r\n\x1a\n");
  for (const auto& [type, data] : chunks) append_png_chunk(file, type, data);
  return file;
}

Bytes webp(std::initializer_list<std::pair<std::string_view, std::string_view>> chunks) {
  Bytes file = bytes_of("RIFF\0\0\0\0WEBP"sv);
  for (const auto& [type, data] : chunks) append_webp_chunk(file, type, data);
  return file;
}

TEST(PhotoFormat, IsKnownFromTheFirstBytes) {
  EXPECT_EQ(type_of("\xff\xd8\xff\xe1"), "image/jpeg");
  EXPECT_EQ(type_of("\x89PNG\r\n\x1a\n"), "image/png");
  EXPECT_EQ(type_of("RIFF....WEBPVP8 "), "image/webp");
  EXPECT_EQ(type_of("MM\0*"sv), "image/tiff");
  EXPECT_EQ(type_of("BM"), "image/bmp");
  EXPECT_EQ(type_of("GIF89a"), "image/gif");
  EXPECT_EQ(type_of("\0\0\0\30ftypmif1\0\0\0\0mif1heic"sv), "image/heif");
  EXPECT_EQ(type_of("\0\0\0\30ftypmif1\0\0\0\0mif1avif"sv), "image/avif");
  for (const std::string_view other :
       {""sv, "RIFF....AVI LIST"sv, "\0\0\0\30ftypisom\0\0\0\0mp42isom"sv, "#EXTM3U"sv, "<svg"sv})
    EXPECT_EQ(type_of(other), "") << other;
}

std::vector<int> delays_of(const Bytes& file) {
  return photo_format(file).delays(file);
}

TEST(PhotoFormat, KnowsForHowLongThePicturesOfAGifAreShown) {
  const Bytes start = bytes_of("GIF89a\2\0\2\0\0\0\0"sv);
  const auto picture = [](Bytes& file) { append(file, ",\0\0\0\0\2\0\2\0\0\2\1\0\0"sv); };
  const auto control = [](Bytes& file, char hundredths) {
    append(file, "!\xf9\4\0"sv);
    append(file, std::string{hundredths, 0, 0, 0});
  };
  Bytes file = start;
  EXPECT_THAT(delays_of(file), testing::IsEmpty());
  control(file, 25);
  picture(file);
  picture(file);  // of which nothing is said
  control(file, 1);
  append(file, "!\xfe\3abc\0"sv);  // a comment
  picture(file);
  control(file, 2);
  picture(file);
  append(file, ";");
  EXPECT_THAT(delays_of(file), testing::ElementsAre(250, 100, 100, 20));
  picture(file);  // after the end
  EXPECT_EQ(delays_of(file).size(), 4u);
  for (size_t size = start.size(); size < file.size(); ++size)
    EXPECT_LE(delays_of(Bytes(file.begin(), file.begin() + static_cast<ptrdiff_t>(size))).size(),
              4u);
}

TEST(PhotoFormat, KnowsForHowLongThePicturesOfAWebpAreShown) {
  const auto header = std::pair{"VP8X"sv, "\2\0\0\0\0\0\0\0\0\0"sv};
  const auto quick = std::pair{"ANMF"sv, "\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0."sv};
  const auto slow = std::pair{"ANMF"sv, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0"sv};
  EXPECT_THAT(delays_of(webp({header, {"ANIM", "\0\0\0\0\0\0"sv}, quick, slow})),
              testing::ElementsAre(100, 65536));
  EXPECT_THAT(delays_of(webp({header, {"ANMF", "short"}})), testing::IsEmpty());
  EXPECT_THAT(delays_of(webp({{"VP8 ", "\2"}, slow})), testing::IsEmpty());
}

TEST(PhotoFormat, KnowsAnimations) {
  const auto is_animated = [](const Bytes& file) { return photo_format(file).is_animated(file); };
  EXPECT_TRUE(is_animated(png({{"IHDR", ""}, {"acTL", ""}, {"IDAT", ""}})));
  EXPECT_FALSE(is_animated(png({{"IHDR", "acTL"}, {"IDAT", ""}})));
  EXPECT_TRUE(is_animated(webp({{"VP8X", "\2\0\0\0\0\0\0\0\0\0"sv}})));
  EXPECT_FALSE(is_animated(webp({{"VP8X", "\55\0\0\0\0\0\0\0\0\0"sv}})));
  EXPECT_FALSE(is_animated(webp({{"VP8 ", "\2"}})));
  EXPECT_TRUE(is_animated(bytes_of("\0\0\0\30ftypavis\0\0\0\0avis"sv)));
  EXPECT_FALSE(is_animated(bytes_of("\0\0\0\30ftypavif\0\0\0\0avis"sv)));
  EXPECT_FALSE(is_animated(encode("jpeg", 8, 8, noise_pixel)));
}

TEST(PhotoFormat, FindsTheOrientationThatLoadersDoNotReport) {
  const auto orientation = [](const Bytes& file) { return photo_format(file).orientation(file); };
  for (const bool big : {false, true})
    for (char turn = 1; turn <= 8; ++turn) {
      const std::string data = exif(turn, big);
      EXPECT_EQ(orientation(png({{"IDAT", ""}, {"eXIf", data}})), turn);
      EXPECT_EQ(orientation(webp({{"VP8 ", "odd"}, {"EXIF", data}})), turn);
      EXPECT_EQ(orientation(webp({{"EXIF", "Exif\0\0"s + data}})), turn) << "as in a JPEG";
    }
  for (const std::string& data :
       {exif(0, true), exif(9, false), ""s, "MM"s, exif(6, true).substr(0, 20)})
    EXPECT_EQ(orientation(png({{"eXIf", data}})), 1) << data.size();
  EXPECT_EQ(orientation(png({{"IEND", ""}, {"eXI", ""}})), 1);
}

TEST(PhotoFormat, FindsTheProfileThatLoadersDoNotGive) {
  const auto profile = [](const Bytes& file) {
    const FileBytes found = photo_format(file).profile(file);
    return std::string(found.begin(), found.end());
  };
  EXPECT_EQ(profile(webp({{"VP8X", "\40"}, {"ICCP", "colours"}, {"VP8 ", ""}})), "colours");
  EXPECT_EQ(profile(webp({{"VP8 ", ""}})), "");
  const std::string_view meta =
      "\0\0\0\54meta\0\0\0\0\0\0\0\40iprp\0\0\0\30ipco\0\0\0\20colrprofgold"sv;
  for (const std::string_view brand : {"avif", "heic"}) {
    Bytes file = bytes_of("\0\0\0\20ftyp"sv);
    append(file, brand);
    append_number(file, 0, true);
    append(file, meta);
    EXPECT_EQ(profile(file), "gold");
    for (size_t size = 16; size < file.size(); ++size)
      EXPECT_EQ(profile(Bytes(file.begin(), file.begin() + static_cast<ptrdiff_t>(size))), "");
  }
}

TEST(PhotoFormat, NeedsNotTheMarkOfTheEndOfAJpeg) {
  const Bytes whole = encode("jpeg", 61, 47, noise_pixel);
  const PhotoFormat format = photo_format(whole);
  EXPECT_TRUE(format.is_whole(whole));
  EXPECT_TRUE(format.is_whole(Bytes(whole.begin(), whole.end() - 2)));
  for (size_t size = 0; size < whole.size() - 3; size += 13)
    EXPECT_FALSE(
        format.is_whole(Bytes(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size))))
        << size;
}

}  // namespace
}  // namespace mosaic
