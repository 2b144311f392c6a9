// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/windows/window_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mosaic/base/error.h"

namespace {

using mosaic::check_windows;
using mosaic::window_options;
using mosaic::WindowOptions;
using mosaic::WindowPreset;
using testing::ElementsAre;

std::string complaint(const WindowOptions& options) {
  try {
    check_windows(options);
  } catch (const mosaic::Error& e) {
    EXPECT_EQ(mosaic::Error::Kind::kSettings, e.kind());
    return e.what();
  }
  return "";
}

TEST(WindowOptions, ErrorsNameTheNumberAndTheRule) {
  EXPECT_EQ("window-size is 32, but must be at least 64 pixels, or 0", complaint({32, 0}));
  EXPECT_EQ("window-size is 100, but must be a multiple of 32 pixels", complaint({100, 0}));
  EXPECT_EQ("window-overlap is 40, but must be a multiple of 32 pixels", complaint({512, 40}));
  EXPECT_EQ("window-overlap is -32, but must be a multiple of 32 pixels", complaint({512, -32}));
  EXPECT_EQ("window-overlap is 64, but must be less than window-size, which is 64",
            complaint({64, 64}));
  EXPECT_EQ("window-frames is 8, but must be at least 16 frames, or 0", complaint({512, 64, 8, 0}));
  EXPECT_EQ("window-frames is 20, but must be a multiple of 8 frames", complaint({512, 64, 20, 8}));
  EXPECT_EQ("window-frames-overlap is 4, but must be a multiple of 8 frames",
            complaint({512, 64, 16, 4}));
  EXPECT_EQ("window-frames-overlap is 16, but must be less than window-frames, which is 16",
            complaint({512, 64, 16, 16}));
  EXPECT_EQ("window-batch is 0, but must be at least 1", complaint({1, 1, 1, 1, 0}))
      << "before anything else";
  EXPECT_EQ("", complaint({64, 32, 16, 8, 1}));
  EXPECT_EQ("", complaint({0, 0, 0, 0, 1}));
}

TEST(WindowOptions, Presets) {
  const auto options = [](WindowPreset preset, int width, int height, int frames) {
    const WindowOptions o = window_options(preset, width, height, frames);
    EXPECT_EQ("", complaint(o));
    return std::vector<int>{o.size, o.overlap, o.frames, o.frames_overlap};
  };
  EXPECT_THAT(options(WindowPreset::kDefault, 64, 64, 1), ElementsAre(512, 64, 64, 24));
  EXPECT_THAT(options(WindowPreset::kSpatialOnly, 64, 64, 1), ElementsAre(512, 64, 0, 0));
  EXPECT_THAT(options(WindowPreset::kTemporalOnly, 64, 64, 1), ElementsAre(0, 0, 64, 24));
  EXPECT_THAT(options(WindowPreset::kAggressive, 64, 64, 1), ElementsAre(256, 64, 32, 8));
  EXPECT_THAT(options(WindowPreset::kConservative, 64, 64, 1), ElementsAre(768, 64, 96, 24));
  EXPECT_THAT(options(WindowPreset::kAuto, 512, 512, 960), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(options(WindowPreset::kAuto, 513, 200, 960), ElementsAre(512, 64, 0, 0));
  EXPECT_THAT(options(WindowPreset::kAuto, 200, 513, 961), ElementsAre(512, 64, 960, 96));
  EXPECT_THAT(options(WindowPreset::kAuto, 512, 512, 961), ElementsAre(0, 0, 960, 96));
  EXPECT_EQ(6u, mosaic::window_preset_words().size());
  EXPECT_EQ("temporal-only",
            mosaic::window_preset_words()[static_cast<int>(WindowPreset::kTemporalOnly)]);
}

}  // namespace
