// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/drawing/gather.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "cpu/cpu_executor.h"

namespace {

/// Sizes of a launch.
struct Shape {
  int pictures, rows, columns, planes, patch_rows, run;
  uint32_t entries;
};
constexpr Shape kShapes[] = {
    {1, 1, 1, 1, 1, 1, 1},        {2, 3, 5, 1, 2, 6, 70000}, {3, 2, 31, 3, 2, 2, 256},
    {1, 4, 7, 3, 2, 8, 1000},     {1, 2, 9, 1, 16, 48, 17},  {2, 2, 3, 4, 3, 5, 300},
    {1, 1, 130, 1, 1, 12, 65536}, {1, 3, 4, 2, 7, 192, 3},   {1, 2, 5, 1, 2, 4, 65537},
    {1, 2, 3, 1, 4, 16, 9},       {1, 2, 3, 1, 8, 24, 9},    {1, 2, 3, 1, 8, 32, 9},
    {1, 2, 3, 1, 16, 64, 9},      {1, 2, 3, 1, 32, 96, 9}};
constexpr uint8_t kUntouched = 77;

template <class Index>
void check(const Shape& s, int threads) {
  std::mt19937 random(s.columns);
  const size_t patch = size_t(s.planes) * s.patch_rows * s.run;
  std::vector<uint8_t> codebook(patch * s.entries);
  for (auto& v : codebook) v = static_cast<uint8_t>(random());
  std::vector<Index> indices(size_t(s.pictures) * s.rows * s.columns);
  // One in eight is too large, if the type can hold such a number.
  const auto most = static_cast<Index>(-1);
  for (auto& v : indices)
    v = static_cast<Index>(random() % 8 ? random() % std::min<uint64_t>(s.entries, most + 1ull)
                                        : most - random() % 2);
  const int width = s.columns * s.run, height = s.rows * s.patch_rows;
  std::vector<uint8_t> out(size_t(s.pictures) * s.planes * width * height + 64, kUntouched);
  std::vector<int32_t> too_large(s.pictures * s.rows, -1);
  mt::Gather gather{.codebook = codebook.data(),
                    .index16 = nullptr,
                    .index32 = nullptr,
                    .entries = s.entries,
                    .rows = s.rows,
                    .columns = s.columns,
                    .planes = s.planes,
                    .patch_rows = s.patch_rows,
                    .run = s.run,
                    .out = out.data(),
                    .too_large = too_large.data()};
  if constexpr (sizeof(Index) == 2)
    gather.index16 = indices.data();
  else
    gather.index32 = indices.data();
  mt::make_cpu_executor(threads)->launch(gather, s.pictures * s.rows);

  std::vector<int32_t> wrong(too_large.size());
  size_t i = 0;
  for (int picture = 0; picture < s.pictures; ++picture)
    for (int plane = 0; plane < s.planes; ++plane)
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          const int row = y / s.patch_rows, column = x / s.run;
          const size_t strip = size_t(picture) * s.rows + row;
          const uint64_t index = indices[strip * s.columns + column];
          const bool is_wrong = index >= s.entries;
          if (plane == 0 && y % s.patch_rows == 0 && x % s.run == 0) wrong[strip] += is_wrong;
          const size_t entry = is_wrong ? s.entries - 1 : index;
          ASSERT_EQ(codebook[entry * patch + (plane * s.patch_rows + y % s.patch_rows) * s.run +
                             x % s.run],
                    out[i++])
              << picture << ", " << plane << ": " << x << ", " << y;
        }
  EXPECT_EQ(wrong, too_large);
  EXPECT_TRUE(std::all_of(out.begin() + static_cast<ptrdiff_t>(i), out.end(),
                          [](uint8_t v) { return v == kUntouched; }));
}

TEST(Gather, PutsPatchesBesideEachOther) {
  for (const Shape& shape : kShapes)
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(testing::Message() << shape.run << " bytes a row, " << shape.entries);
      check<uint16_t>(shape, threads);
      check<uint32_t>(shape, threads);
    }
}

}  // namespace
