// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/finishing/chroma.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cpu/cpu_executor.h"
#include "tests/kernels/colours.h"
#include "tests/kernels/pictures.h"

namespace {

constexpr int kBins = 4096;
constexpr double kBin = 0.35 / kBins;  ///< chroma

void expect_counts(mt::Executor& executor, test::HostPicture& picture, int step) {
  const test::Size size = picture.size();
  const int strips = (size.height + 31) / 32;
  std::vector<int32_t> counts(size_t(strips) * kBins, -1);
  executor.launch(
      mt::ChromaCounts{executor.tables(), test::planes_of(picture), step, counts.data()}, strips);
  for (int strip = 0; strip < strips; ++strip) {
    std::vector<double> chroma;
    for (int y = 32 * strip; y < std::min(size.height, 32 * (strip + 1)); ++y)
      for (int x = 0; x < size.width; ++x)
        if (y % step == 0 && x % step == 0)
          chroma.push_back(test::chroma_of(test::colour_at(picture, x, y)));
    std::sort(chroma.begin(), chroma.end());
    const auto below = [&](double limit) {
      return std::lower_bound(chroma.begin(), chroma.end(), limit) - chroma.begin();
    };
    // Single precision gives the chroma within 2e-6, which may be across the edge of a bin. Pixels
    // with a chroma of at most 0.001 do not count.
    constexpr double kError = 2e-6;
    int64_t sum = 0;
    for (int bin = 0; bin < kBins; ++bin) {
      sum += counts[size_t(strip) * kBins + bin];
      const double edge = bin + 1 < kBins ? (bin + 1) * kBin : 1;
      ASSERT_LE(sum, std::max<int64_t>(0, below(edge + kError) - below(0.001 - kError))) << bin;
      ASSERT_GE(sum, below(edge - kError) - below(0.001 + kError)) << bin;
    }
  }
}

TEST(ChromaCounts, CountsPixelsByTheirChromaInOklab) {
  const auto executor = mt::make_cpu_executor(1);
  test::for_each_picture([&](test::HostPicture& from, const test::Parts&) {
    for (const int step : {1, 4}) expect_counts(*executor, from, step);
  });
  test::HostPicture wide({4200, 3}, test::noise_level);  // more than are processed together
  for (const int step : {1, 2}) expect_counts(*executor, wide, step);
}

/// The percentile by its definition: the value of which 99 % are below, in a list of all values;
/// those of a bin are spread evenly over it.
double percentile(const std::vector<int32_t>& counts) {
  std::vector<double> values;
  for (int bin = 0; bin < kBins; ++bin) {
    int count = 0;
    for (size_t i = bin; i < counts.size(); i += kBins) count += counts[i];
    for (int i = 0; i < count; ++i) values.push_back((bin + (i + 0.5) / count) * kBin);
  }
  return values.empty() ? 0.3 : values[(values.size() - 1) * 99 / 100];
}

TEST(ChromaPercentile, IsTheChromaBelowWhichNinetyNinePercentLie) {
  const auto executor = mt::make_cpu_executor(1);
  std::vector<std::vector<int32_t>> cases(7, std::vector<int32_t>(kBins));
  cases[1][0] = 1;
  cases[2][kBins - 1] = 1000;
  cases[3][100] = 99;  // the last of the 99 % is the last one of its bin
  cases[3][200] = 1;
  cases[4][100] = 98;
  cases[4][3000] = 2;
  cases[5].resize(3 * kBins);
  cases[6].resize(2 * kBins);
  for (int i = 0; i < 3 * kBins; ++i) cases[5][i] = test::noise_level(0, i, 5) % 11;
  for (int i = 0; i < 2 * kBins; ++i) cases[6][i] = i % 700 == 3 ? 500 : 0;
  for (const std::vector<int32_t>& counts : cases)
    for (const float newest : {1.0f, 0.15f, 0.0f}) {
      float chroma = 0.2f;
      executor->launch(
          mt::ChromaPercentile{counts.data(), int(counts.size()) / kBins, &chroma, newest}, 1);
      const double expected = percentile(counts) * double{newest} + 0.2 * (1 - double{newest});
      EXPECT_NEAR(expected, chroma, 1e-6) << "case " << &counts - cases.data();
    }
}

}  // namespace
