// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Weighted sums of two levels as OpenCV's addWeighted has them for 8 bits: in single precision,
/// rounded to the nearest, halves to the even one. Weights like 0.3 and 0.7 make a half of every
/// tenth sum, so that the last bit of the sum decides.
#pragma once

#include <cstdint>

#include "cuda/group.h"

namespace mt {

/// |v| < 2^22. Beyond 2^23 a float has no fraction left: adding rounds, as every sum does.
static MT_HD inline int32_t round_half_even(float v) {
  constexpr float kNoFraction = 12582912.0f;  // 1.5 x 2^23
  return static_cast<int32_t>((v + kNoFraction) - kNoFraction);
}

/// (1 - share) a + share b, for a, b 0..255. May differ from OpenCV's where a sum is within 2^-16
/// of a half.
static MT_HD inline int32_t mix(int32_t a, int32_t b, float keep, float share) {
  return round_half_even(static_cast<float>(a) * keep + static_cast<float>(b) * share);
}

/// The same to the last bit: OpenCV rounds b share, but not a keep before it adds that.
/// @param share 1/16..15/16
static MT_HD inline int32_t mix_exactly(int32_t a, int32_t b, float share) {
  constexpr float kScale = 1 << 28;  // all bits of what is added, and below 2^37
  const auto product = static_cast<int64_t>(static_cast<float>(b) * share * kScale);
  const int64_t sum = a * static_cast<int64_t>((1.0f - share) * kScale) + product;
  return round_half_even(static_cast<float>(sum) * (1.0f / kScale));
}

}  // namespace mt
