// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Compares kernels of the network with their definitions in double precision. tests/parity/flow.py
/// compares the network as a whole with torchvision.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"
#include "tests/kernels/network/network_cases.h"
#include "tests/kernels/threaded_workers.h"
#include "tests/mosaic/simd_levels.h"

namespace {

constexpr test::CaseSize kSize{118, 75, 8, 4};

TEST(Tanh, IsWithinItsErrorOfTheFunction) {
  double tanh_error = 0, sigmoid_error = 0;
  for (int i = -400000; i <= 400000; ++i) {
    const float x = static_cast<float>(i) * 5e-5f;
    tanh_error = std::max(tanh_error, std::abs(mt::tanh_of(x) - std::tanh(double{x})));
    sigmoid_error =
        std::max(sigmoid_error, std::abs(mt::sigmoid_of(x) - 1 / (1 + std::exp(-double{x}))));
  }
  EXPECT_LT(tanh_error, 3e-7);
  EXPECT_LT(sigmoid_error, 3e-7);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(mt::tanh_of(kInfinity), mt::tanh_of(9));
  EXPECT_EQ(mt::tanh_of(-kInfinity), mt::tanh_of(-9));
  EXPECT_TRUE(std::isfinite(mt::tanh_of(std::nanf(""))));
}

/// A value of a layer; 0 in the border and beyond.
double value(const mt::Layer& layer, int picture, int y, int x, int c) {
  if (x < 0 || x >= layer.width || y < 0 || y >= layer.height) return 0;
  return layer.at(picture * layer.height + y)[x * layer.channels + c];
}

double convolved(const mt::Convolution& k, int picture, int y, int x, int channel) {
  const int block = channel / mt::kChannelBlock;
  double sum = k.start.data ? value(k.start, picture, y, x, channel) : k.bias[channel];
  size_t in_block = 0;
  for (int i = 0; i < k.inputs; ++i)
    in_block += size_t(k.side) * k.side * k.in[i].channels * mt::kChannelBlock;
  const float* weight = k.weights + block * in_block + channel % mt::kChannelBlock;
  for (int i = 0; i < k.inputs; ++i)
    for (int v = 0; v < k.side; ++v)
      for (int u = 0; u < k.side; ++u)
        for (int c = 0; c < k.in[i].channels; ++c, weight += mt::kChannelBlock)
          sum += *weight * value(k.in[i].layer, picture, y * k.stride + v - k.side / 2,
                                 x * k.stride + u - k.side / 2, c);
  return k.relu && sum < 0 ? 0 : sum;
}

TEST(Convolution, IsItsDefinition) {
  const auto executor = mt::make_cpu_executor(2);
  for (int which = 0; which < test::Cases<mt::Convolution>::kCount; ++which) {
    test::KernelMemory memory(executor);
    const auto launch = test::Cases<mt::Convolution>::make(memory, kSize, which);
    executor->launch(launch.kernel, launch.count);
    executor->wait();
    const mt::Layer& out = launch.kernel.out;
    for (int i = 0; i < test::rows_of(out); ++i)
      for (int x = 0; x < out.width; ++x)
        for (int c = 0; c < launch.kernel.blocks * mt::kChannelBlock; ++c)
          ASSERT_NEAR(out.at(i)[x * out.channels + c],
                      convolved(launch.kernel, i / out.height, i % out.height, x, c), 1e-4)
              << "case " << which << ": " << x << ", " << i << ", channel " << c;
  }
}

/// Vector forms and plain ones, which GPUs run, round alike at every level.
template <class Kernel>
void expect_same_in_all_forms() {
  for (int which = 0; which < test::Cases<Kernel>::kCount; ++which) {
    const auto executor = mt::make_cpu_executor(1);
    test::KernelMemory plain(executor);
    const auto threaded = test::Cases<Kernel>::make(plain, kSize, which);
    test::Workers{"", test::Way::kBlock, 32}.run(threaded.kernel, threaded.count);
    for (const auto level : {mt::SimdLevel::kV2, mt::SimdLevel::kV3, mt::SimdLevel::kV4}) {
      const auto at_level = mt::make_cpu_executor(1, level);
      test::KernelMemory memory(at_level);
      const auto launch = test::Cases<Kernel>::make(memory, kSize, which);
      at_level->launch(launch.kernel, launch.count);
      EXPECT_TRUE(memory.contents() == plain.contents())
          << "case " << which << ", level " << static_cast<int>(level);
    }
  }
}

TEST(Convolution, IsTheSameAtEveryLevelAndInThePlainForm) {
  expect_same_in_all_forms<mt::Convolution>();
  SKIP_WITHOUT_ALL_SIMD_LEVELS();
}

TEST(LookUp, IsTheSameAtEveryLevelAndInThePlainForm) {
  expect_same_in_all_forms<mt::LookUp>();
  SKIP_WITHOUT_ALL_SIMD_LEVELS();
}

TEST(Normalise, GivesEachChannelMeanZeroAndVarianceOne) {
  const auto executor = mt::make_cpu_executor(2);
  test::KernelMemory m(executor);
  const mt::Layer in = test::layer_of(m, 50, 31, 48, 1, 3), out = test::layer_of(m, 50, 31, 48, 0);
  for (int y = 0; y < test::rows_of(in); ++y)
    for (int i = 0; i < in.width * in.channels; ++i)
      in.at(y)[i] += static_cast<float>(i % 48 * (1 + y / in.height));
  float* rows = m.zeroed<float>(size_t{2} * test::rows_of(in) * 48);
  float* moments = m.zeroed<float>(size_t{2} * test::kPictures * 48);
  executor->launch(mt::RowMoments{in, rows}, test::rows_of(in));
  executor->launch(mt::PictureMoments{rows, in.width, in.height, 48, moments}, test::kPictures);
  executor->launch(mt::Normalise{in, moments, 1, {}, nullptr, 0, out}, test::rows_of(in));
  executor->wait();
  for (int picture = 0; picture < test::kPictures; ++picture)
    for (int c = 0; c < 48; ++c) {
      double sum = 0, square = 0;
      const int n = in.width * in.height;
      for (int i = 0; i < n; ++i) sum += value(in, picture, i / in.width, i % in.width, c);
      for (int i = 0; i < n; ++i)
        square += std::pow(value(in, picture, i / in.width, i % in.width, c) - sum / n, 2);
      for (int i = 0; i < n; ++i) {
        const double expected = (value(in, picture, i / in.width, i % in.width, c) - sum / n) /
                                std::sqrt(square / n + 1e-5);
        ASSERT_NEAR(value(out, picture, i / in.width, i % in.width, c), std::max(0.0, expected),
                    1e-4);
      }
    }
}

/// The correlation of a pixel's features with those at a place of a level, 0 outside.
double correlation(const mt::LookUp& k, int picture, int y, int x, const mt::FeatureLevel& level,
                   int v, int u) {
  if (u < 0 || u >= level.width || v < 0 || v >= level.height) return 0;
  double sum = 0;
  for (int c = 0; c < mt::kMapChannels; ++c)
    sum += value(k.features, picture, y, x, c) *
           level.at(picture * level.height + v)[c * level.pitch() + u];
  return sum / std::sqrt(mt::kMapChannels);
}

TEST(LookUp, InterpolatesCorrelations) {
  const auto executor = mt::make_cpu_executor(2);
  test::KernelMemory m(executor);
  const auto launch = test::Cases<mt::LookUp>::make(m, kSize, 0);
  const mt::LookUp& k = launch.kernel;
  k.flow.at(0)[0] = -30.25f;  // outside, with all of its neighbourhood
  k.flow.at(1)[0] = -4.5f;    // in part
  k.flow.at(2)[1] = std::nanf("");
  executor->launch(k, launch.count);
  executor->wait();
  for (int row = 0; row < test::rows_of(k.flow); ++row)
    for (int x = 0; x < k.flow.width; ++x)
      for (int i = 0; i < mt::kLookUps; ++i) {
        const int l = i / 49, picture = row / k.flow.height, y = row % k.flow.height;
        const double at_x = (x + k.flow.at(row)[2 * x]) / (1 << l) + i % 49 / 7 - 3;
        const double at_y = (y + k.flow.at(row)[2 * x + 1]) / (1 << l) + i % 7 - 3;
        const float found = k.out.at(row)[x * k.out.channels + i];
        if (std::isnan(at_y)) {
          ASSERT_EQ(found, 0);
          continue;
        }
        const int u = static_cast<int>(std::floor(at_x)), v = static_cast<int>(std::floor(at_y));
        double expected = 0;
        for (int dy : {0, 1})
          for (int dx : {0, 1})
            expected += correlation(k, picture, y, x, k.level[l], v + dy, u + dx) *
                        (dx ? at_x - u : u + 1 - at_x) * (dy ? at_y - v : v + 1 - at_y);
        ASSERT_NEAR(found, expected, 1e-4) << x << ", " << row << ", " << i;
      }
}

TEST(MoveFlow, HandsOnlyNumbersOn) {
  const auto executor = mt::make_cpu_executor(1);
  test::KernelMemory m(executor);
  const mt::Layer flow = test::layer_of(m, 4, 1, 2, 3), motion = test::layer_of(m, 4, 1, 96, 1);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> change{1.5f, -2, std::nanf(""), kInfinity, -kInfinity, 1e9f, -1e9f, 0};
  float* coarse = m.zeroed<float>(8);
  executor->launch(mt::MoveFlow{change.data(), 2, 0, flow, motion, 80, coarse}, 1);
  executor->wait();
  const std::vector<float> expected{1.5f, -2, 0, 4096, -4096, 4096, -4096, 0};
  EXPECT_EQ(std::vector<float>(coarse, coarse + 8), expected);
  EXPECT_EQ(flow.at(0)[5], 1e9f);
  EXPECT_EQ(motion.at(0)[96 + 80 + 1], kInfinity);
}

}  // namespace
