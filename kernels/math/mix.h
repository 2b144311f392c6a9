// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Weighted sums of two 8-bit levels as OpenCV's addWeighted computes them: in single precision,
/// rounded to the nearest integer, halves to the even one. With weights like 0.3 and 0.7 one sum in
/// ten is an exact half, so that the last bit of the sum decides how it is rounded.
#pragma once

#include <cstdint>

#include "kernels/group.h"

namespace mt {

/// The nearest integer, halves to the even one; |v| < 2^22. A float above 2^23 has no fractional
/// bits, so that adding 1.5 x 2^23 rounds v in the way of every floating-point sum.
static MT_HD inline int32_t round_half_even(float v) {
  constexpr float kNoFraction = 12582912.0f;  // 1.5 x 2^23
  return static_cast<int32_t>((v + kNoFraction) - kNoFraction);
}

/// keep a + share b, for a, b 0..255. May differ from OpenCV's result where the sum is within 2^-16
/// of a half. @param keep  1 - share
static MT_HD inline int32_t mix(int32_t a, int32_t b, float keep, float share) {
  return round_half_even(static_cast<float>(a) * keep + static_cast<float>(b) * share);
}

/// (1 - share) a + share b, identical to OpenCV's to the last bit: OpenCV rounds the product
/// b share, but then adds a (1 - share) without rounding that product (a fused multiply-add).
/// @param share  1/16..15/16
static MT_HD inline int32_t mix_exactly(int32_t a, int32_t b, float share) {
  constexpr float kScale = 1 << 28;  // makes both addends integers, below 2^37
  const auto product = static_cast<int64_t>(static_cast<float>(b) * share * kScale);
  const int64_t sum =
      static_cast<int64_t>(a) * static_cast<int32_t>((1.0f - share) * kScale) + product;
  return round_half_even(static_cast<float>(sum) * (1.0f / kScale));
}

}  // namespace mt
