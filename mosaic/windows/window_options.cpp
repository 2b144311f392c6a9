// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/windows/window_options.h"

#include <algorithm>
#include <array>
#include <string>

#include "mosaic/base/error.h"

namespace mosaic {
namespace {

/// The rules for one dimension.
struct Rules {
  std::string size_name, overlap_name;  ///< of the properties
  int min, step;
  std::string unit;
};

[[noreturn]] void refuse(const std::string& name, int value, const std::string& rule) {
  throw Error(Error::Kind::kSettings, name + " is " + std::to_string(value) + ", but " + rule);
}

void check_dimension(int size, int overlap, const Rules& rules) {
  if (size == 0) return;
  const std::string steps =
      "must be a multiple of " + std::to_string(rules.step) + " " + rules.unit;
  if (size < rules.min)
    refuse(rules.size_name, size,
           "must be at least " + std::to_string(rules.min) + " " + rules.unit + ", or 0");
  if (size % rules.step != 0) refuse(rules.size_name, size, steps);
  if (overlap < 0 || overlap % rules.step != 0) refuse(rules.overlap_name, overlap, steps);
  if (overlap >= size)
    refuse(rules.overlap_name, overlap,
           "must be less than " + rules.size_name + ", which is " + std::to_string(size));
}

constexpr std::array<std::string_view, 6> kPresetWords = {
    "default", "spatial-only", "temporal-only", "aggressive", "conservative", "auto"};

// Frames. Two windows draw each frame of their overlap, so longer ones waste less; and over a
// longer overlap a mosaic fades more slowly into another one, of which most photos are others.
constexpr int kLongTake = 960, kLongFade = 96;

}  // namespace

void check_windows(const WindowOptions& options) {
  if (options.batch < 1) refuse("window-batch", options.batch, "must be at least 1");
  check_dimension(options.size, options.overlap,
                  {.size_name = "window-size",
                   .overlap_name = "window-overlap",
                   .min = 64,
                   .step = 32,
                   .unit = "pixels"});
  check_dimension(options.frames, options.frames_overlap,
                  {.size_name = "window-frames",
                   .overlap_name = "window-frames-overlap",
                   .min = 16,
                   .step = 8,
                   .unit = "frames"});
}

std::span<const std::string_view> window_preset_words() {
  return kPresetWords;
}

WindowOptions window_options(WindowPreset preset, int width, int height, int frames) {
  WindowOptions options;
  const auto cut = [&](bool space, bool time) {
    if (!space) options.size = options.overlap = 0;
    if (!time) options.frames = options.frames_overlap = 0;
  };
  switch (preset) {
    case WindowPreset::kDefault:
      break;
    case WindowPreset::kSpatialOnly:
      cut(true, false);
      break;
    case WindowPreset::kTemporalOnly:
      cut(false, true);
      break;
    case WindowPreset::kAggressive:
      options = {.size = 256, .overlap = 64, .frames = 32, .frames_overlap = 8};
      break;
    case WindowPreset::kConservative:
      options = {.size = 768, .overlap = 64, .frames = 96, .frames_overlap = 24};
      break;
    case WindowPreset::kAuto:
      options.frames = kLongTake;
      options.frames_overlap = kLongFade;
      cut(std::max(width, height) > options.size, frames == 0 || frames > kLongTake);
      break;
  }
  return options;
}

}  // namespace mosaic
