// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Functions over the group of a CPU, for all sizes around those of a vector: each writes what a
/// plain loop would, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

#include "cpu/vectors/merge_count_below.h"
#include "cpu/vectors/serial_group.h"
#include "cpu/vectors/vector_copy_bytes.h"
#include "cpu/vectors/vector_gather_patches.h"
#include "cpu/vectors/vector_histogram.h"
#include "cpu/vectors/vector_sum_columns.h"
#include "cpu/vectors/vector_sum_differences.h"

namespace {

constexpr int kMost = 150, kRows = 3, kPitch = 160;
constexpr uint8_t kUntouched = 77;

// So that the calls below, and those of kernels, cannot mean the plain forms.
static_assert(!mt::PlainGroup<mt::SerialGroup>);
mt::SerialGroup group(nullptr);

std::vector<uint8_t> noise(int n, int below = 256) {
  std::mt19937 random(n);
  std::vector<uint8_t> bytes(n);
  for (auto& b : bytes) b = static_cast<uint8_t>(random() % below);
  return bytes;
}

TEST(VectorForms, CopyWritesTheRectangleAlone) {
  const std::vector<uint8_t> from = noise(kRows * kPitch);
  for (int columns = 0; columns <= kMost; ++columns) {
    const int pitch = columns + 5;
    std::vector<uint8_t> to(kRows * pitch, kUntouched);
    copy_bytes(group, from.data(), kPitch, kRows, columns, to.data(), pitch);
    for (int y = 0; y < kRows; ++y)
      for (int x = 0; x < pitch; ++x)
        ASSERT_EQ(to[y * pitch + x], x < columns ? from[y * kPitch + x] : kUntouched)
            << columns << " columns: " << x << ", " << y;
  }
}

TEST(VectorForms, GatherWritesThePatchesAlone) {
  constexpr int kEntries = 50, kPatchRows = 2;
  const uint16_t index[] = {49, 0, 50, 7, 65535};
  constexpr int kColumns = std::size(index);
  for (int run = 1; run <= kMost; ++run) {
    const std::vector<uint8_t> from = noise(kEntries * kPatchRows * run);
    const int pitch = kColumns * run + 5;
    std::vector<uint8_t> to(kPatchRows * pitch, kUntouched);
    gather_patches(group, {from.data(), kPatchRows * run, kEntries, kPatchRows, run}, index,
                   kColumns, to.data(), pitch);
    for (int y = 0; y < kPatchRows; ++y)
      for (int x = 0; x < pitch; ++x) {
        const int column = x / run;
        const uint8_t wanted =
            column < kColumns
                ? from[(std::min<int>(index[column], kEntries - 1) * kPatchRows + y) * run +
                       x % run]
                : kUntouched;
        ASSERT_EQ(to[y * pitch + x], wanted) << run << " bytes: " << x << ", " << y;
      }
  }
}

TEST(VectorForms, SumColumnsAddsUpEachColumn) {
  const std::vector<uint8_t> in = noise(kRows * kPitch);
  for (int columns = 0; columns <= kMost; ++columns) {
    std::vector<uint16_t> sums(columns + 5, kUntouched);
    sum_columns(group, in.data(), kPitch, kRows, columns, sums.data());
    for (int x = 0; x < columns + 5; ++x)
      ASSERT_EQ(sums[x], x < columns ? in[x] + in[kPitch + x] + in[2 * kPitch + x] : kUntouched)
          << columns << " columns: " << x;
  }
}

TEST(VectorForms, SumColumnsHoldsTheLargestSums) {
  const std::vector<uint8_t> white(257 * 40, 255);
  uint16_t sums[40];
  sum_columns(group, white.data(), 40, 257, 40, sums);
  for (const uint16_t sum : sums) ASSERT_EQ(sum, 65535);
}

TEST(VectorForms, SumDifferencesCountsEveryPixelOnce) {
  const std::vector<uint8_t> a = noise(kRows * kPitch), b = noise(kRows * kMost);
  for (int columns = 0; columns <= kMost; ++columns) {
    int32_t sum = 0;
    for (int y = 0; y < kRows; ++y)
      for (int x = 0; x < columns; ++x) sum += std::abs(a[y * kPitch + x] - b[y * columns + x]);
    ASSERT_EQ(sum_differences(group, a.data(), kPitch, kRows, columns, b.data()), sum)
        << columns << " columns";
  }
}

TEST(VectorForms, SumDifferencesHoldsTheLargestSums) {
  const std::vector<uint8_t> white(256 * 256, 255), black(256 * 256, 0);
  EXPECT_EQ(sum_differences(group, white.data(), 256, 256, 256, black.data()), 255 * 65536);
  EXPECT_EQ(sum_differences(group, black.data(), 256, 256, 256, white.data()), 255 * 65536);
}

TEST(VectorForms, CountBelowFindsThePlaceOfEachValue) {
  std::mt19937 random(1);
  for (int most : {1, 3, 40, 1600}) {
    std::vector<int32_t> values(mt::kCounted), sorted(mt::kCounted), below(mt::kCounted);
    for (auto& v : values) v = static_cast<int32_t>(random() % (most + 1));
    for (auto& v : sorted) v = static_cast<int32_t>(random() % (most + 1));
    sorted.back() = most;
    std::sort(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    count_below(group, values.data(), sorted.data(), below.data());
    for (int i = 0; i < mt::kCounted; ++i)
      ASSERT_EQ(below[i], std::count_if(sorted.begin(), sorted.end(),
                                        [&](int32_t v) { return v < values[i]; }))
          << "value " << values[i] << " of 0.." << most;
  }
}

TEST(VectorForms, HistogramsAddUpCodesBelowTheNumberOfBins) {
  for (int bins : {1, 12, 24, 36, 256})
    for (int n = 0; n <= kMost; ++n) {
      const std::vector<uint8_t> codes = noise(n, bins == 256 ? 256 : bins + 5);
      std::vector<int32_t> weights(n), counts(bins + 5, kUntouched), counted = counts;
      std::vector<int64_t> sums(bins + 5, kUntouched), summed = sums;
      for (int i = 0; i < n; ++i) {
        weights[i] = 3 * i + 1;
        if (codes[i] >= bins) continue;
        ++counted[codes[i]];
        summed[codes[i]] += weights[i];
      }
      count_codes(group, codes.data(), n, bins, counts.data());
      sum_by_code(group, codes.data(), weights.data(), n, bins, sums.data());
      ASSERT_EQ(counts, counted) << bins << " bins, " << n << " codes";
      ASSERT_EQ(sums, summed) << bins << " bins, " << n << " codes";
    }
}

}  // namespace
