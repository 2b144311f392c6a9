// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares the rerank's scores with their definition in double precision.
#include "kernels/matching/tile_similarity.h"
#include "cpu/cpu_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/all/kernels.h"
#include "tests/kernels/matching/plain_similarity.h"
#include "tests/mosaic/frames.h"

namespace {

using test::plain_correlation;
using test::plain_ssim;
using Bytes = std::vector<uint8_t>;

/// Pictures: noise, flat ones, hard edges, checks, ramps, and mixtures of other noise with the
/// first.
std::vector<Bytes> pictures(int side) {
  std::mt19937 random(side);
  std::vector<Bytes> all;
  const auto add = [&](auto value) {
    Bytes& p = all.emplace_back(side * side);
    for (int i = 0; i < side * side; ++i)
      p[i] = static_cast<uint8_t>(std::clamp<int>(value(i % side, i / side), 0, 255));
  };
  add([&](int, int) { return random() % 256; });
  for (int v : {0, 1, 128, 255}) add([=](int, int) { return v; });
  add([=](int x, int) { return x < side / 2 ? 0 : 255; });
  add([=](int x, int) { return x < side / 2 ? 255 : 0; });
  add([=](int x, int y) { return (x + y) % 2 * 255; });
  add([=](int x, int y) { return (x + y + 1) % 2 * 255; });
  add([=](int x, int y) { return 200 * x / side + 50 * y / side; });
  add([=](int x, int) { return x == 0 ? 255 : 0; });
  const Bytes first = all[0];
  for (int share : {10, 128, 250})
    add([&](int x, int y) {
      return (first[y * side + x] * share + static_cast<int>(random() % 256) * (256 - share)) >> 8;
    });
  return all;
}

/// Computes covariances first and then the SSIM of every third score: they are as in `whole`.
void expect_same_in_parts(mt::Rerank kernel, const std::vector<mt::RerankScore>& whole,
                          mt::Executor& executor) {
  constexpr uint32_t kEveryThird = 0x49249249;
  const size_t each = 1 + kernel.wanted, entries = whole.size() / each;
  std::vector<mt::RerankScore> scores(whole.size());
  const std::vector<uint32_t> similar(entries, kEveryThird);
  kernel.scores = scores.data();
  kernel.similar = similar.data();
  for (mt::RerankPart part : {mt::RerankPart::kCovariances, mt::RerankPart::kSimilarities}) {
    kernel.part = part;
    executor.launch(kernel, static_cast<int>(entries));
  }
  for (size_t i = 0; i < whole.size(); ++i) {
    const bool has_ssim = kEveryThird >> i % each & 1;
    ASSERT_EQ(has_ssim ? whole[i].ssim : 0, scores[i].ssim);
    ASSERT_EQ(whole[i].covariance, scores[i].covariance);
    ASSERT_EQ(whole[i].variance, scores[i].variance);
    ASSERT_EQ(whole[i].tile, scores[i].tile);
  }
}

class Scores : public testing::TestWithParam<int> {};

// As a cell, a picture has equal R, G and B, so that its luma equals the picture as a tile.
TEST_P(Scores, MatchTheDefinition) {
  const int side = GetParam(), area = side * side;
  const std::vector<Bytes> all = pictures(side);
  const int count = static_cast<int>(all.size());
  Bytes cells, grays;
  std::vector<mt::RerankEntry> entries;
  std::vector<int32_t> nearest(size_t(count) * mt::kRerankNearest, -1);
  for (int i = 0; i < count; ++i) {
    for (int c = 0; c < 3; ++c) cells.insert(cells.end(), all[i].begin(), all[i].end());
    grays.insert(grays.end(), all[i].begin(), all[i].end());
    entries.push_back({i, (i + 3) % count});
    for (int k = 0; k < count; ++k) nearest[i * mt::kRerankNearest + k] = (i + k) % count;
  }
  std::vector<double> expected;  // [count][count]
  for (int i = 0; i < count * count; ++i)
    expected.push_back(plain_ssim(all[i / count].data(), all[i % count].data(), side));
  for (int wanted : {1, 8, count, mt::kRerankNearest})
    for (mt::SimdLevel level : {mt::SimdLevel::kV2, mt::SimdLevel::kV3, mt::SimdLevel::kV4}) {
      std::vector<mt::RerankScore> scores(size_t(count) * (1 + wanted), {-1, -1, -1, -2, 0});
      Bytes gray(cells.size() / 3);
      const mt::Rerank kernel{entries.data(), cells.data(), grays.data(), side,
                              nearest.data(), wanted,       gray.data(),  scores.data()};
      const auto executor = mt::make_cpu_executor(1, level);
      executor->launch(kernel, count);
      EXPECT_EQ(grays, gray);
      expect_same_in_parts(kernel, scores, *executor);
      for (int i = 0; i < count; ++i)
        for (int k = 0; k <= wanted; ++k) {
          const mt::RerankScore& s = scores[size_t(i) * (1 + wanted) + k];
          const int tile = k ? nearest[i * mt::kRerankNearest + k - 1] : entries[i].tile;
          ASSERT_EQ(tile, s.tile);
          if (tile < 0) {
            ASSERT_EQ(0, s.ssim | s.covariance | s.variance);
            continue;
          }
          const uint8_t *x = all[i].data(), *y = all[tile].data();
          const double windows = double(side - 6) * (side - 6);
          ASSERT_NEAR(expected[i * count + tile], s.ssim / windows / (1 << mt::kSsimBits), 1e-6)
              << "picture " << i << " and " << tile;
          int64_t sx = 0, sy = 0, syy = 0, sxy = 0;
          for (int p = 0; p < area; ++p) {
            sx += x[p];
            sy += y[p];
            syy += y[p] * y[p];
            sxy += x[p] * y[p];
          }
          ASSERT_EQ(area * syy - sy * sy, s.variance);
          ASSERT_EQ(area * sxy - sx * sy, s.covariance);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Sides, Scores, testing::Values(8, 9, 24, 41, 60, 256));

}  // namespace
