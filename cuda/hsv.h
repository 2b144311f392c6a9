// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// 8-bit HSV as OpenCV has it: hue 0..179, saturation and value 0..255.
#pragma once

#include <math.h>

#include "cuda/lab.h"
#include "cuda/oklab.h"

namespace mt {

/// R, G, B (0..255) to H, S, V, with OpenCV's fixed-point divisions.
static MT_HD inline Triple rgb_to_hsv(const Tables* t, int32_t r, int32_t g, int32_t b) {
  const int32_t v = r > g ? (r > b ? r : b) : (g > b ? g : b);
  const int32_t low = r < g ? (r < b ? r : b) : (g < b ? g : b);
  const int32_t span = v - low;
  const int32_t s = (span * t->saturation_divisor[v] + 2048) >> 12;
  const int32_t sixths = v == r ? g - b : v == g ? b - r + 2 * span : r - g + 4 * span;
  const int32_t h = (sixths * t->hue_divisor[span] + 2048) >> 12;
  return {{h < 0 ? h + 180 : h, s, v}};
}

/// One channel of a hue in sixths of a turn, 0..6: how much of the saturation it lacks, 0..1. It
/// has all of its value for two sixths from `from` on.
static MT_HD inline float lack_of(float from, float sixths) {
  const float turned = from + sixths, k = turned < 6.0f ? turned : turned - 6.0f;
  const float lack = k < 4.0f - k ? k : 4.0f - k;
  return lack < 0.0f ? 0.0f : lack > 1.0f ? 1.0f : lack;
}

/// H (0..179), S, V (0..255) to R, G, B (0..255); cut, not rounded, as OpenCV's vectors do.
static MT_HD inline Triple hsv_to_rgb(int32_t h, int32_t s8, int32_t v8) {
  const float sixths = static_cast<float>(h) * (6.0f / 180.0f);
  const float s = static_cast<float>(s8) * (1.0f / 255.0f);
  const float v = static_cast<float>(v8) * (1.0f / 255.0f);
  return {{static_cast<int32_t>(v * (1.0f - s * lack_of(5.0f, sixths)) * 255.0f),
           static_cast<int32_t>(v * (1.0f - s * lack_of(3.0f, sixths)) * 255.0f),
           static_cast<int32_t>(v * (1.0f - s * lack_of(1.0f, sixths)) * 255.0f)}};
}

}  // namespace mt
