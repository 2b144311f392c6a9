// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/group.h"

namespace mt {

/// The hyperbolic tangent, within 3e-7, from operations that every processor rounds alike: the
/// continued fraction of Lambert for a quarter of x, and twice the formula for twice an angle. NaN
/// gives a number.
static MT_HD inline float tanh_of(float x) {
  constexpr float kMost = 9;  // from here on it rounds to 1
  const float least = x > -kMost ? x : -kMost;
  const float quarter = (least < kMost ? least : kMost) * 0.25f;
  const float s = quarter * quarter;
  float t = quarter * (135135 + s * (17325 + s * (378 + s))) /
            (135135 + s * (62370 + s * (3150 + s * 28)));
  t = 2 * t / (1 + t * t);
  return 2 * t / (1 + t * t);
}

/// 1 / (1 + e^-x), within 3e-7.
static MT_HD inline float sigmoid_of(float x) {
  return 0.5f + 0.5f * tanh_of(0.5f * x);
}

}  // namespace mt
