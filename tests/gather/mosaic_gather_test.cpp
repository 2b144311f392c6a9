// SPDX-License-Identifier: LGPL-2.1-or-later
#include "gather/mosaic_gather.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <vector>

namespace {

constexpr auto kBytes = MOSAIC_GATHER_UINT8, kFloats = MOSAIC_GATHER_FLOAT32;
constexpr auto kInterleaved = MOSAIC_GATHER_INTERLEAVED, kPlanar = MOSAIC_GATHER_PLANAR;

struct Free {
  void operator()(MosaicGather* gather) const { mosaic_gather_free(gather); }
};
using Gather = std::unique_ptr<MosaicGather, Free>;

/// Patches with samples of any value.
struct Book {
  std::vector<uint8_t> bytes;
  std::vector<float> floats;
  MosaicGatherCodebook c;

  Book(uint32_t count, uint32_t height, uint32_t width, uint32_t channels,
       MosaicGatherLayout layout = kInterleaved, MosaicGatherType type = kBytes)
      : c{nullptr, count, height, width, channels, type, layout} {
    std::mt19937 random(count);
    const size_t samples = size_t{count} * height * width * channels;
    for (size_t i = 0; i < samples; ++i) bytes.push_back(static_cast<uint8_t>(random()));
    for (const uint8_t v : bytes) floats.push_back(static_cast<float>(v) * 0.37f - 20);
    c.samples = type == kBytes ? static_cast<const void*>(bytes.data()) : floats.data();
  }

  /// A sample as pictures of a type have it.
  float sample(MosaicGatherType to, size_t patch, size_t channel, size_t y, size_t x) const {
    const size_t at = c.layout == kPlanar ? (channel * c.height + y) * c.width + x
                                          : (y * c.width + x) * c.channels + channel;
    const size_t i = patch * c.height * c.width * c.channels + at;
    if (c.type == kFloats) return floats[i];
    return to == kFloats ? static_cast<float>(bytes[i]) / 255.0f : bytes[i];
  }

  Gather gather(MosaicGatherType type, MosaicGatherLayout layout, uint32_t threads = 2) const {
    MosaicGather* made = nullptr;
    EXPECT_EQ(MOSAIC_GATHER_OK, mosaic_gather_new(&c, type, layout, threads, &made));
    return Gather(made);
  }
};

MosaicGatherResult draw(MosaicGather* gather, const std::vector<uint16_t>& indices,
                        uint32_t pictures, uint32_t rows, uint32_t columns, void* out) {
  return mosaic_gather_uint16(gather, indices.data(), pictures, rows, columns, out);
}
MosaicGatherResult draw(MosaicGather* gather, const std::vector<uint32_t>& indices,
                        uint32_t pictures, uint32_t rows, uint32_t columns, void* out) {
  return mosaic_gather_uint32(gather, indices.data(), pictures, rows, columns, out);
}

/// Compares every sample of pictures with the definition.
template <class Index, class Sample>
void check(const Book& book, MosaicGatherLayout layout, uint32_t pictures, uint32_t rows,
           uint32_t columns) {
  constexpr MosaicGatherType kType = sizeof(Sample) == 1 ? kBytes : kFloats;
  std::mt19937 random(rows);
  std::vector<Index> indices(size_t{pictures} * rows * columns);
  for (Index& v : indices) v = static_cast<Index>(random() % book.c.count);
  const Gather gather = book.gather(kType, layout);
  const size_t height = size_t{rows} * book.c.height, width = size_t{columns} * book.c.width,
               channels = book.c.channels, samples = height * width * channels;
  ASSERT_EQ(samples * sizeof(Sample), mosaic_gather_picture_size(gather.get(), rows, columns));
  constexpr Sample kUntouched = 99;
  std::vector<Sample> out(samples * pictures + 16, kUntouched);
  ASSERT_EQ(MOSAIC_GATHER_OK, draw(gather.get(), indices, pictures, rows, columns, out.data()));
  for (size_t picture = 0; picture < pictures; ++picture)
    for (size_t y = 0; y < height; ++y)
      for (size_t x = 0; x < width; ++x)
        for (size_t c = 0; c < channels; ++c) {
          const Index patch =
              indices[(picture * rows + y / book.c.height) * columns + x / book.c.width];
          const size_t at =
              layout == kPlanar ? (c * height + y) * width + x : (y * width + x) * channels + c;
          ASSERT_EQ(book.sample(kType, patch, c, y % book.c.height, x % book.c.width),
                    out[picture * samples + at])
              << picture << ": " << x << ", " << y << ", " << c;
        }
  for (size_t i = samples * pictures; i < out.size(); ++i) ASSERT_EQ(kUntouched, out[i]);
}

TEST(MosaicGather, DrawsEveryTypeAndLayout) {
  for (const MosaicGatherLayout from : {kInterleaved, kPlanar})
    for (const MosaicGatherLayout to : {kInterleaved, kPlanar}) {
      SCOPED_TRACE(testing::Message() << from << " to " << to);
      for (const Book& book : {Book(70000, 2, 2, 3, from), Book(300, 5, 3, 1, from),
                               Book(9, 16, 16, 4, from), Book(1, 1, 1, 1, from)}) {
        check<uint32_t, uint8_t>(book, to, 3, 4, 7);
        check<uint32_t, float>(book, to, 2, 3, 5);
        if (book.c.count <= 65536) check<uint16_t, uint8_t>(book, to, 1, 6, 2);
      }
      check<uint16_t, float>(Book(500, 4, 2, 3, from, kFloats), to, 2, 5, 3);
    }
}

TEST(MosaicGather, IsTheSameWithAnyNumberOfThreads) {
  const Book book(4000, 3, 3, 3);
  std::vector<uint16_t> indices(7 * 31 * 9);
  for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<uint16_t>(i * 37 % 4000);
  std::vector<uint8_t> first;
  for (const uint32_t threads : {1, 2, 5, 0}) {
    const Gather gather = book.gather(kBytes, kPlanar, threads);
    std::vector<uint8_t> out(7 * mosaic_gather_picture_size(gather.get(), 31, 9));
    EXPECT_EQ(MOSAIC_GATHER_OK, draw(gather.get(), indices, 7, 31, 9, out.data()));
    if (first.empty()) first = out;
    EXPECT_EQ(first, out) << threads;
  }
}

TEST(MosaicGather, IndicesThatAreTooLargeAreTheLastPatch) {
  const Book book(10, 2, 2, 1);
  const Gather gather = book.gather(kBytes, kInterleaved);
  std::vector<uint8_t> out(8), last(8);
  for (const uint32_t wrong : {10u, 65536u, std::numeric_limits<uint32_t>::max()}) {
    EXPECT_EQ(MOSAIC_GATHER_INVALID_INDEX,
              draw(gather.get(), std::vector<uint32_t>{3, wrong}, 1, 1, 2, out.data()));
    EXPECT_EQ(MOSAIC_GATHER_OK,
              draw(gather.get(), std::vector<uint32_t>{3, 9}, 1, 1, 2, last.data()));
    EXPECT_EQ(last, out) << wrong;
  }
}

TEST(MosaicGather, RefusesWrongArguments) {
  const Book book(10, 2, 2, 3);
  MosaicGather* made = nullptr;
  const auto refuses = [&](auto change, MosaicGatherType type = kBytes,
                           MosaicGatherLayout layout = kInterleaved, uint32_t threads = 1) {
    MosaicGatherCodebook wrong = book.c;
    change(wrong);
    made = reinterpret_cast<MosaicGather*>(&made);
    EXPECT_EQ(MOSAIC_GATHER_INVALID_ARGUMENT,
              mosaic_gather_new(&wrong, type, layout, threads, &made));
    EXPECT_EQ(nullptr, made);
  };
  const auto nothing = [](MosaicGatherCodebook&) {};
  const auto none = [](uint32_t MosaicGatherCodebook::*size) {
    return [size](MosaicGatherCodebook& c) { c.*size = 0; };
  };
  refuses([](MosaicGatherCodebook& c) { c.samples = nullptr; });
  for (const auto size : {&MosaicGatherCodebook::count, &MosaicGatherCodebook::height,
                          &MosaicGatherCodebook::width, &MosaicGatherCodebook::channels})
    refuses(none(size));
  refuses([](MosaicGatherCodebook& c) { c.type = static_cast<MosaicGatherType>(7); });
  refuses([](MosaicGatherCodebook& c) { c.layout = static_cast<MosaicGatherLayout>(-1); });
  refuses([](MosaicGatherCodebook& c) { c.type = kFloats; });  // bytes of floats
  refuses([](MosaicGatherCodebook& c) { c.count = c.height = c.width = c.channels = UINT32_MAX; });
  refuses([](MosaicGatherCodebook& c) { c.width = UINT32_MAX; });
  refuses(nothing, static_cast<MosaicGatherType>(2));
  refuses(nothing, kBytes, static_cast<MosaicGatherLayout>(2));
  refuses(nothing, kBytes, kInterleaved, 1u << 20);
  EXPECT_EQ(MOSAIC_GATHER_INVALID_ARGUMENT,
            mosaic_gather_new(nullptr, kBytes, kInterleaved, 1, &made));
  EXPECT_EQ(MOSAIC_GATHER_INVALID_ARGUMENT,
            mosaic_gather_new(&book.c, kBytes, kInterleaved, 1, nullptr));

  const Gather gather = book.gather(kBytes, kInterleaved);
  const std::vector<uint16_t> indices{0};
  uint8_t out[12];
  const auto refused = [&](MosaicGather* g, const uint16_t* from, uint32_t pictures, uint32_t rows,
                           uint32_t columns, void* to) {
    return mosaic_gather_uint16(g, from, pictures, rows, columns, to) ==
           MOSAIC_GATHER_INVALID_ARGUMENT;
  };
  EXPECT_TRUE(refused(nullptr, indices.data(), 1, 1, 1, out));
  EXPECT_TRUE(refused(gather.get(), nullptr, 1, 1, 1, out));
  EXPECT_TRUE(refused(gather.get(), indices.data(), 1, 1, 1, nullptr));
  EXPECT_TRUE(refused(gather.get(), indices.data(), 0, 1, 1, out));
  EXPECT_TRUE(refused(gather.get(), indices.data(), 1, 0, 1, out));
  EXPECT_TRUE(refused(gather.get(), indices.data(), 1, 1, 0, out));
  EXPECT_TRUE(refused(gather.get(), indices.data(), UINT32_MAX, UINT32_MAX, UINT32_MAX, out));
  EXPECT_TRUE(refused(gather.get(), indices.data(), 1, 1, UINT32_MAX, out));
  EXPECT_TRUE(refused(gather.get(), indices.data(), UINT32_MAX, 2, 1, out));
  EXPECT_EQ(0u, mosaic_gather_picture_size(gather.get(), UINT32_MAX, UINT32_MAX));
  EXPECT_EQ(0u, mosaic_gather_picture_size(gather.get(), 0, 1));
  EXPECT_EQ(0u, mosaic_gather_picture_size(nullptr, 1, 1));
  mosaic_gather_free(nullptr);
}

TEST(MosaicGather, SaysWhatItsResultsMean) {
  for (int i = MOSAIC_GATHER_OK; i <= MOSAIC_GATHER_NO_MEMORY; ++i)
    for (int k = 0; k < i; ++k)
      EXPECT_STRNE(mosaic_gather_text(static_cast<MosaicGatherResult>(i)),
                   mosaic_gather_text(static_cast<MosaicGatherResult>(k)));
  EXPECT_STREQ("an unknown result", mosaic_gather_text(static_cast<MosaicGatherResult>(77)));
}

}  // namespace
