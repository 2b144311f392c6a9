// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <math.h>

#include "kernels/group.h"
#include "kernels/math/lab.h"

namespace mt {

/// Fractional bits of Oklab components as integers (CellStats::oklab).
inline constexpr int kOklabBits = 16;

/// Cube root of 0..1 with an error of about 1e-7, by operations that round alike on every machine
/// and without a division: the first guess of x^(-1/3) divides the exponent by -3; then follow two
/// steps of Newton's iteration r (4 - x r^3) / 3, and one for the root x r^2.
static MT_HD inline float cube_root(float x) {
  constexpr float kThird = 1.0f / 3.0f;
  const float safe = x > 1e-9f ? x : 1e-9f;  // far below the linear light of sRGB level 1
  union {
    float f;
    int32_t i;
  } bits;
  bits.f = safe;
  bits.i = 0x54a21d2a - static_cast<int32_t>(static_cast<float>(bits.i) * kThird);
  float r = bits.f;
  for (int i = 0; i < 2; ++i) r = r * (4.0f * kThird - safe * kThird * (r * r * r));
  const float square = r * r, y = x * square;
  return y + (x - y * y * y) * (square * kThird);
}

/// Nearest integer, halves away from zero.
static MT_HD inline int32_t nearest(float v) {
  return static_cast<int32_t>(v < 0.0f ? v - 0.5f : v + 0.5f);
}

/// Oklab (Ottosson 2020): lightness 0..1, a and b about -0.4..0.4.
struct Oklab {
  float lightness, a, b;
};

/// Cube roots of what the three kinds of cones of the eye respond to, 0..1.
struct ConeRoots {
  float l, m, s;
};

/// Of linear light, 0..1.
static MT_HD inline ConeRoots cone_roots(float r, float g, float b) {
  return {cube_root(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b),
          cube_root(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b),
          cube_root(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b)};
}

static MT_HD inline Oklab oklab_of_roots(const ConeRoots& c) {
  return {0.2104542553f * c.l + 0.7936177850f * c.m - 0.0040720468f * c.s,
          1.9779984951f * c.l - 2.4285922050f * c.m + 0.4505937099f * c.s,
          0.0259040371f * c.l + 0.7827717662f * c.m - 0.8086757660f * c.s};
}

/// Oklab of linear light, 0..1.
static MT_HD inline Oklab oklab_of_linear(float r, float g, float b) {
  return oklab_of_roots(cone_roots(r, g, b));
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
