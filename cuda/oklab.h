// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/cell_stats.h"
#include "cuda/group.h"

namespace mt {

/// Cube root of 0..1 to about 1e-7, by operations that round alike everywhere: a third of the
/// exponent as a first guess, then Halley's iteration y (y^3 + 2x) / (2y^3 + x) three times.
static MT_HD inline float cube_root(float x) {
  const float safe =
      x > 1e-6f ? x : 1e-6f;  // far below linear light of sRGB 1; keeps off subnormals
  union {
    float f;
    uint32_t u;
  } bits;
  bits.f = safe;
  bits.u = bits.u / 3 + 709921077u;
  float y = bits.f;
  for (int i = 0; i < 3; ++i) {
    const float cube = y * y * y;
    y = y * (cube + 2.0f * safe) / (2.0f * cube + safe);
  }
  return x > 1e-6f ? y : 0.0f;
}

/// Nearest integer, halves away from zero.
static MT_HD inline int32_t nearest(float v) {
  return static_cast<int32_t>(v < 0.0f ? v - 0.5f : v + 0.5f);
}

/// Oklab (Ottosson 2020) of linear light 0..1, each component times 2^kOklabBits.
static MT_HD inline void linear_to_oklab(float r, float g, float b, int32_t* lab) {
  const float l = cube_root(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
  const float m = cube_root(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
  const float s = cube_root(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
  constexpr float kScale = 1 << kOklabBits;
  lab[0] = nearest((0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s) * kScale);
  lab[1] = nearest((1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s) * kScale);
  lab[2] = nearest((0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s) * kScale);
}

}  // namespace mt
