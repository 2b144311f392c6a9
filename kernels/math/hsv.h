// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// 8-bit HSV as OpenCV defines it: hue 0..179, saturation and value 0..255.
#pragma once

#include <math.h>

#include "kernels/math/lab.h"
#include "kernels/math/oklab.h"

namespace mt {

/// 255 * 2^12 / value, rounded, for a value of 1 or more. By a division, which costs less than to
/// gather elements of a table.
static MT_HD inline int32_t saturation_divisor(int32_t value) {
  return static_cast<int32_t>(255.0f * 4096.0f / static_cast<float>(value) + 0.5f);
}

/// The saturation in HSV, 0..255. @param span  from the lowest channel to the highest, `value`
static MT_HD inline int32_t hsv_saturation(int32_t span, int32_t value) {
  return (span * saturation_divisor(value > 1 ? value : 1) + 2048) >> 12;
}

/// R, G, B (0..255) to H, S, V, with OpenCV's fixed-point divisions.
static MT_HD inline Triple rgb_to_hsv(const Tables* t, int32_t r, int32_t g, int32_t b) {
  const int32_t v = r > g ? (r > b ? r : b) : (g > b ? g : b);
  const int32_t low = r < g ? (r < b ? r : b) : (g < b ? g : b);
  const int32_t span = v - low;
  const int32_t s = hsv_saturation(span, v);
  const int32_t sixths = v == r ? g - b : v == g ? b - r + 2 * span : r - g + 4 * span;
  const int32_t h = (sixths * t->hue_divisor[span] + 2048) >> 12;
  return {{h < 0 ? h + 180 : h, s, v}};
}

/// The share of the saturation, 0..1, by which one channel is below the value.
/// @param from    5 for red, 3 for green, 1 for blue
/// @param sixths  the hue in sixths of a full turn, 0..6
static MT_HD inline float channel_drop(float from, float sixths) {
  const float turned = from + sixths, k = turned < 6.0f ? turned : turned - 6.0f;
  const float drop = k < 4.0f - k ? k : 4.0f - k;
  return drop < 0.0f ? 0.0f : drop > 1.0f ? 1.0f : drop;
}

/// H (0..179), S, V (0..255) to R, G, B (0..255); truncated, not rounded, as OpenCV's vectorised
/// code does.
static MT_HD inline Triple hsv_to_rgb(int32_t h, int32_t s8, int32_t v8) {
  const float sixths = static_cast<float>(h) * (6.0f / 180.0f);
  const float s = static_cast<float>(s8) * (1.0f / 255.0f);
  const float v = static_cast<float>(v8) * (1.0f / 255.0f);
  return {{static_cast<int32_t>(v * (1.0f - s * channel_drop(5.0f, sixths)) * 255.0f),
           static_cast<int32_t>(v * (1.0f - s * channel_drop(3.0f, sixths)) * 255.0f),
           static_cast<int32_t>(v * (1.0f - s * channel_drop(1.0f, sixths)) * 255.0f)}};
}

}  // namespace mt
