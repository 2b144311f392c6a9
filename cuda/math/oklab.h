// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <math.h>

#include "cuda/group.h"
#include "cuda/math/lab.h"

namespace mt {

/// Fractional bits of Oklab components as integers (CellStats::oklab).
inline constexpr int kOklabBits = 16;

/// Cube root of 0..1 with an error of about 1e-7, by operations that round alike on every machine:
/// the first guess divides the exponent by three; then follow three steps of Halley's iteration
/// y (y^3 + 2x) / (2y^3 + x).
static MT_HD inline float cube_root(float x) {
  const float safe =
      x > 1e-6f ? x : 1e-6f;  // far below the linear light of sRGB level 1; avoids subnormals
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

/// Oklab (Ottosson 2020): lightness 0..1, a and b about -0.4..0.4.
struct Oklab {
  float lightness, a, b;
};

/// Oklab of linear light, 0..1.
static MT_HD inline Oklab oklab_of_linear(float r, float g, float b) {
  const float l = cube_root(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
  const float m = cube_root(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
  const float s = cube_root(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
  return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
          1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
          0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

/// Oklab of linear light, 0..1. @param lab  [3]: each component times 2^kOklabBits, written
static MT_HD inline void linear_to_oklab(float r, float g, float b, int32_t* lab) {
  const Oklab c = oklab_of_linear(r, g, b);
  constexpr float kScale = 1 << kOklabBits;
  lab[0] = nearest(c.lightness * kScale);
  lab[1] = nearest(c.a * kScale);
  lab[2] = nearest(c.b * kScale);
}

/// Linear light, clamped to 0..1, to sRGB 0..255: interpolates linearly in a table over the square
/// root of the light.
static MT_HD inline float srgb_of_linear(const Tables* t, float v) {
  const float cut = v < 0.0f ? 0.0f : v > 1.0f ? 1.0f : v;
  const float at = sqrtf(cut) * kSrgbSteps;
  const int32_t i = static_cast<int32_t>(at < kSrgbSteps - 1 ? at : kSrgbSteps - 1.0f);
  const float part = at - static_cast<float>(i);
  return t->srgb_of_root[i] * (1.0f - part) + t->srgb_of_root[i + 1] * part;
}

/// Oklab to sRGB. @param rgb  [3]: R, G, B, 0..255, written
static MT_HD inline void oklab_to_srgb(const Tables* t, const Oklab& c, float* rgb) {
  const float l_ = c.lightness + 0.3963377774f * c.a + 0.2158037573f * c.b;
  const float m_ = c.lightness - 0.1055613458f * c.a - 0.0638541728f * c.b;
  const float s_ = c.lightness - 0.0894841775f * c.a - 1.2914855480f * c.b;
  const float l = l_ * l_ * l_, m = m_ * m_ * m_, s = s_ * s_ * s_;
  rgb[0] = srgb_of_linear(t, 4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s);
  rgb[1] = srgb_of_linear(t, -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s);
  rgb[2] = srgb_of_linear(t, -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s);
}

/// Oklab to sRGB in whole levels, truncated, not rounded, as in mosaicraft. The two Oklab matrices
/// are not exact inverses: an unchanged colour comes back slightly lower in B and G and slightly
/// higher in R, so that truncation takes a level from B and from most G. The offsets here reproduce
/// that in single precision.
static MT_HD inline Triple oklab_to_rgb(const Tables* t, const Oklab& c) {
  float rgb[3];
  oklab_to_srgb(t, c, rgb);
  const float r = rgb[0], g = rgb[1], b = rgb[2];
  constexpr float kR = 0.01f, kG = -0.005f, kB = -0.01f;
  return {{static_cast<int32_t>(r < 255.0f ? r + kR : 255.0f),
           static_cast<int32_t>(g > 0.01f ? g + kG : 0.0f),
           static_cast<int32_t>(b > 0.01f ? b + kB : 0.0f)}};
}

}  // namespace mt
