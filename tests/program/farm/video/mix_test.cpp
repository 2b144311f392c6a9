// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/farm/video/mix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "mosaic/windows/window_axis.h"

namespace {

using mosaic::WindowAxis;
using mosaic_program::mix;
using mosaic_program::WeightedFrame;

TEST(Mix, AWholeWeightGivesTheFrame) {
  std::vector<uint8_t> frame(256), mixed(256, 77);
  for (size_t i = 0; i < frame.size(); ++i) frame[i] = static_cast<uint8_t>(i);
  const WeightedFrame all[] = {{frame, WindowAxis::kOne}};
  mix(all, mixed);
  EXPECT_EQ(frame, mixed);
}

TEST(Mix, IsTheWeightedMeanToTheNearestNumber) {
  std::mt19937 random(2);
  std::vector<std::vector<uint8_t>> frames(3, std::vector<uint8_t>(1000));
  for (auto& frame : frames)
    for (uint8_t& byte : frame) byte = static_cast<uint8_t>(random());
  const int weights[] = {5000, 11000, WindowAxis::kOne - 16000};
  std::vector<WeightedFrame> weighted;
  for (int i = 0; i < 3; ++i) weighted.push_back({frames[i], weights[i]});
  std::vector<uint8_t> mixed(1000);
  mix(weighted, mixed);
  for (size_t i = 0; i < mixed.size(); ++i) {
    double mean = 0;
    for (int f = 0; f < 3; ++f) mean += static_cast<double>(weights[f]) * frames[f][i];
    EXPECT_EQ(std::floor(mean / WindowAxis::kOne + 0.5), mixed[i]);
  }
}

}  // namespace
