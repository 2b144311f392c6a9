// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/photos/resize_part.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "mosaic/photos/photo_cut.h"

namespace mosaic {
namespace {

/// Noise from a generator that is simple to reproduce in other languages.
Photo noise(int width, int height, uint32_t seed) {
  Photo photo{width, height, std::vector<uint8_t>(size_t{3} * width * height)};
  for (uint8_t& v : photo.rgb) {
    seed = seed * 1664525u + 1013904223u;
    v = static_cast<uint8_t>(seed >> 24);
  }
  return photo;
}

std::vector<uint8_t> resized(const Photo& photo, const mt::PixelSize& size) {
  std::vector<uint8_t> out(size_t{3} * size.width * size.height, 0xcd);
  resize_part(photo, shown_part(photo), size, out.data());
  return out;
}

uint64_t fnv1a(const std::vector<uint8_t>& bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

/// Area average of one output pixel in double precision, by definition.
double area_mean(const Photo& photo, const mt::PixelSize& size, int c, int ox, int oy) {
  const int n = std::min(photo.width, photo.height);
  const int left = (photo.width - n) / 2, top = (photo.height - n) / 2;
  const double across = static_cast<double>(n) / size.width;
  const double down = static_cast<double>(n) / size.height;
  const auto overlap = [](double scale, int source, int out) {
    return std::max(
        0.0, std::min(source + 1.0, (out + 1) * scale) - std::max(source + 0.0, out * scale));
  };
  double sum = 0;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      sum += overlap(down, y, oy) * overlap(across, x, ox) *
             photo.rgb[(size_t{3} * photo.width) * (top + y) + 3 * (left + x) + c];
  return sum / (across * down);
}

struct Golden {
  int from, to;
  uint64_t hash;
};

// FNV-1a of what cv2.resize(noise, INTER_AREA) of OpenCV 4.14 returns, as planes; the seed of the
// noise is from + to. 2x2 and even areas have ties, which OpenCV rounds in two ways.
constexpr Golden kOpenCv[] = {
    {120, 120, 0x2de19fa67ab82bb9u}, {120, 60, 0x11999b0d84182e00u}, {120, 40, 0xc8f104835c96a004u},
    {120, 30, 0x9dc44c6f202ff583u},  {120, 24, 0x84e33e83034b41deu}, {120, 20, 0x9016e2ee1cd15b5eu},
    {512, 8, 0xa3cafbab08557821u},
};

TEST(ResizePart, MatchesOpenCvForIntegerFactors) {
  for (const Golden& golden : kOpenCv) {
    const Photo photo = noise(golden.from, golden.from, golden.from + golden.to);
    EXPECT_EQ(fnv1a(resized(photo, golden.to)), golden.hash) << golden.from << " to " << golden.to;
  }
}

TEST(ResizePart, AveragesAreasForAnyFactor) {
  const int sizes[][4] = {{13, 42, 9, 9},    {33, 123, 32, 32}, {120, 90, 77, 77}, {57, 57, 8, 8},
                          {300, 31, 30, 30}, {97, 97, 1, 1},    {120, 90, 77, 53}, {97, 97, 1, 96},
                          {60, 60, 30, 20},  {60, 60, 30, 60},  {60, 60, 60, 7}};
  for (const auto& [width, height, across, down] : sizes) {
    const Photo photo = noise(width, height, 7 * width + height);
    const std::vector<uint8_t> out = resized(photo, {across, down});
    for (int c = 0; c < 3; ++c)
      for (int y = 0; y < down; ++y)
        for (int x = 0; x < across; ++x)
          ASSERT_NEAR(out[(c * down + y) * across + x], area_mean(photo, {across, down}, c, x, y),
                      0.5 + 1e-4)
              << width << "x" << height << " to " << across << "x" << down << " at " << x << ","
              << y;
  }
}

TEST(ResizePart, CropsTheCentre) {
  // A wide photo: columns 0..9 are red, 10..29 green, 30..39 blue. Only green is in the square.
  Photo photo{40, 20, std::vector<uint8_t>(40 * 20 * 3)};
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 40; ++x) photo.rgb[(y * 40 + x) * 3 + (x < 10 ? 0 : x < 30 ? 1 : 2)] = 255;
  const std::vector<uint8_t> out = resized(photo, 8);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(out[i], 0);
    EXPECT_EQ(out[64 + i], 255);
    EXPECT_EQ(out[128 + i], 0);
  }
}

TEST(ResizePart, DoesNotOverflowAtExtremes) {
  Photo photo{8192, 8192, std::vector<uint8_t>(size_t{3} * 8192 * 8192, 255)};
  for (int side : {1, 8, 9, 255})
    for (uint8_t v : resized(photo, side)) ASSERT_EQ(v, 255) << side;
  photo = {8191, 8192, {}};
  photo.rgb.assign(size_t{3} * 8191 * 8192, 255);
  for (uint8_t v : resized(photo, 256)) ASSERT_EQ(v, 255);
}

TEST(ResizePart, CopiesAtTheSameSize) {
  const Photo photo = noise(19, 19, 5);
  const std::vector<uint8_t> out = resized(photo, 19);
  for (int i = 0; i < 19 * 19; ++i)
    for (int c = 0; c < 3; ++c) ASSERT_EQ(out[c * 361 + i], photo.rgb[i * 3 + c]);
}

TEST(ResizePart, EnlargesBilinearly) {
  const Photo photo = noise(5, 5, 11);
  for (const auto& [width, height] : {mt::PixelSize(13), {13, 8}, {5, 17}}) {
    const std::vector<uint8_t> out = resized(photo, {width, height});
    for (int i = 0; i < 3 * width * height; ++i) {
      const int x = i % width, y = i / width % height, c = i / width / height;
      const double sx = std::clamp((x + 0.5) * 5 / width - 0.5, 0.0, 4.0);
      const double sy = std::clamp((y + 0.5) * 5 / height - 0.5, 0.0, 4.0);
      const int x0 = static_cast<int>(sx), y0 = static_cast<int>(sy);
      const int x1 = std::min(x0 + 1, 4), y1 = std::min(y0 + 1, 4);
      const auto at = [&, c](int px, int py) -> double { return photo.rgb[(py * 5 + px) * 3 + c]; };
      const double upper = at(x0, y0) + (sx - x0) * (at(x1, y0) - at(x0, y0));
      const double lower = at(x0, y1) + (sx - x0) * (at(x1, y1) - at(x0, y1));
      ASSERT_NEAR(out[i], upper + (sy - y0) * (lower - upper), 0.5 + 1e-6);
    }
  }
}

TEST(ResizePart, EnlargesOneAxisAlone) {
  // Columns are averaged in pairs, rows are twice as many.
  const Photo photo = noise(8, 8, 3);
  const std::vector<uint8_t> out = resized(photo, {4, 16});
  const std::vector<uint8_t> narrow = resized(photo, {4, 8});
  for (int c = 0; c < 3; ++c)
    for (int x = 0; x < 4; ++x) {
      const uint8_t* from = &narrow[c * 32 + x];
      EXPECT_EQ(out[c * 64 + x], from[0]);
      for (int y = 1; y < 8; ++y)
        EXPECT_NEAR(out[c * 64 + 2 * y * 4 + x], 0.25 * from[(y - 1) * 4] + 0.75 * from[y * 4],
                    0.5);
    }
}

TEST(ResizePart, OnePixelFillsATile) {
  const Photo photo{1, 1, {10, 20, 30}};
  const std::vector<uint8_t> out = resized(photo, 16);
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(out[i], 10);
    EXPECT_EQ(out[256 + i], 20);
    EXPECT_EQ(out[512 + i], 30);
  }
}

}  // namespace
}  // namespace mosaic
