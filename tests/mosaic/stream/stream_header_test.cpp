// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/stream/stream_header.h"

#include <gmock/gmock.h>

#include <random>
#include <string>

#include "mosaic/base/error.h"
#include "mosaic/settings/profile.h"

namespace {

using namespace mosaic::stream;
using Bytes = std::vector<uint8_t>;

StreamHeader a_header() {
  StreamHeader header{.width = 1280,
                      .height = 720,
                      .pixel = {4, 3},
                      .cell = {3, 2},
                      .fps_n = 30000,
                      .fps_d = 1001,
                      .side = 27};
  header.photos = {0x123456789abcdef0, 0xfedcba9876543210};
  header.photo_count = 919;
  header.augment = false;
  header.color_variants = 5;
  header.newest = 0.15;
  header.look.color_transfer = mosaic::TransferKind::kMklHybrid;
  header.look.laplacian_blend = true;
  header.look.gamma = 0.94;
  header.look.shadow_lift = 9;
  header.look.fidelity = 0.5;
  return header;
}

TEST(StreamHeader, IsReadAsItWasWritten) {
  Bytes bytes;
  append_header(bytes, a_header());
  const size_t written = bytes.size();
  bytes.insert(bytes.end(), 100, 7);  // the frame
  size_t size = 0;
  EXPECT_TRUE(a_header() == read_header(bytes, size));
  EXPECT_EQ(written, size);
}

TEST(StreamHeader, FindsTheGridAgain) {
  for (const auto& [tile_size, size] :
       {std::pair{0u, "700"}, {20u, "1"}, {0u, "48x27"}, {0u, "31x11"}, {8u, "1"}})
    for (const mosaic::Shape pixel : {mosaic::Shape{1, 1}, {4, 3}, {10, 11}})
      for (const mosaic::Shape cell : {mosaic::Shape{1, 1}, {3, 2}, {9, 16}}) {
        const mosaic::Grid grid =
            mosaic::choose_grid(1280, 718, 1280, 718, tile_size, size, pixel, cell);
        StreamHeader header;
        set_grid(header, grid, pixel, cell);
        EXPECT_TRUE(grid == header.grid(1280, 718)) << size;
        EXPECT_EQ(grid.cells(), header.grid(3840, 2154).cells());
        EXPECT_EQ(grid.cells(), header.grid(500, 200).cells());
      }
}

TEST(StreamHeader, ATooSmallPictureIsRefused) {
  StreamHeader header{.width = 1280, .height = 720, .columns = 48, .rows = 27};
  EXPECT_THROW(header.grid(40, 20), mosaic::Error);
}

TEST(StreamHeader, SaysWhatDrawingNeeds) {
  mosaic::Look look;
  EXPECT_EQ(SourceNeeds::kNothing, source_needs(look));
  look.fidelity = 0.1;
  look.gamma = 0.9;
  EXPECT_EQ(SourceNeeds::kMeans, source_needs(look));
  look.base_blend_max = 0.1;
  EXPECT_EQ(SourceNeeds::kPicture, source_needs(look));
  look.base_blend_max = 0;
  look.color_transfer = mosaic::TransferKind::kHistogram;
  EXPECT_EQ(SourceNeeds::kPicture, source_needs(look));
}

TEST(StreamHeader, DamageIsAnErrorOrAnotherPossibleHeader) {
  Bytes good;
  append_header(good, a_header());
  std::mt19937 random(1);
  int errors = 0;
  for (int i = 0; i < 5000; ++i) {
    Bytes bytes = good;
    bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    if (random() % 10 == 0) bytes.resize(random() % bytes.size());
    size_t size = 0;
    try {
      const StreamHeader header = read_header(bytes, size);
      EXPECT_LE(size, bytes.size());
      EXPECT_LE(header.grid(header.width, header.height).cells(), kMostCells);
    } catch (const mosaic::Error& error) {
      EXPECT_EQ(mosaic::Error::Kind::kRead, error.kind());
      const std::string what = error.what();
      EXPECT_THAT(what, testing::HasSubstr("header"));
      EXPECT_EQ(what.find("damaged"), what.rfind("damaged")) << what;
      ++errors;
    }
  }
  EXPECT_GT(errors, 1000);
}

TEST(StreamHeader, ImpossibleValuesAreRefused) {
  const auto refused = [](auto change) {
    StreamHeader header = a_header();
    change(header);
    Bytes bytes;
    append_header(bytes, header);
    size_t size = 0;
    EXPECT_THROW(read_header(bytes, size), mosaic::Error);
  };
  refused([](StreamHeader& h) { h.width = 0; });
  refused([](StreamHeader& h) { h.width = 16385; });
  refused([](StreamHeader& h) { h.side = 7; });
  refused([](StreamHeader& h) { h.side = 257; });
  refused([](StreamHeader& h) { h.columns = 4; });
  refused([](StreamHeader& h) { h.pixel.height = 0; });
  refused([](StreamHeader& h) { h.cell.height = 0; });
  refused([](StreamHeader& h) { h.fps_d = 0; });
  refused([](StreamHeader& h) { h.photo_count = 0; });
  refused([](StreamHeader& h) { h.photo_count = (1 << 24) + 1; });
  refused([](StreamHeader& h) { h.color_variants = 13; });
  refused([](StreamHeader& h) { h.newest = 1.5; });
  refused([](StreamHeader& h) { h.newest = std::numeric_limits<double>::quiet_NaN(); });
  refused([](StreamHeader& h) { h.look.gamma = 100; });
  refused([](StreamHeader& h) { h.look.fidelity = std::numeric_limits<double>::quiet_NaN(); });
  refused([](StreamHeader& h) { h.width = h.height = 16384, h.side = 8; });
}

}  // namespace
