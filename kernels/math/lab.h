// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// 8-bit CIELAB and grey with OpenCV's fixed-point arithmetic, bit for bit: the features are
/// computed from them, and one level of difference changes which tiles are chosen.
#pragma once

#include "kernels/group.h"
#include "kernels/math/border.h"
#include "kernels/math/tables.h"

namespace mt {

/// Three components of one pixel.
struct Triple {
  int32_t v[3];
};

/// Linear light 0..1 (Tables::linear_unit) in the steps of Tables::linear.
static MT_HD inline int32_t light_steps(float unit) {
  return static_cast<int32_t>(unit * kLightSteps + 0.5f);
}

/// Linear light (Tables::linear) to L, a, b (0..255).
static MT_HD inline Triple linear_to_lab(const Tables* t, int32_t r, int32_t g, int32_t b) {
  const int32_t* m = t->rgb_to_xyz;
  const int32_t fx = t->lab_f[(m[0] * r + m[1] * g + m[2] * b + 2048) >> 12];
  const int32_t fy = t->lab_f[(m[3] * r + m[4] * g + m[5] * b + 2048) >> 12];
  const int32_t fz = t->lab_f[(m[6] * r + m[7] * g + m[8] * b + 2048) >> 12];
  // L* = 116 f(Y) - 16, scaled from 0..100 to 0..255 in integers; 128 is added to a* and b*.
  constexpr int32_t kScale = (116 * 255 + 50) / 100;
  constexpr int32_t kShift = -((16 * 255 * 32768 + 50) / 100);
  const int32_t l = (kScale * fy + kShift + 16384) >> 15;
  const int32_t a = (500 * (fx - fy) + 128 * 32768 + 16384) >> 15;
  const int32_t bb = (200 * (fy - fz) + 128 * 32768 + 16384) >> 15;
  return {{clamp_int(l, 0, 255), clamp_int(a, 0, 255), clamp_int(bb, 0, 255)}};
}

/// R, G, B (0..255) to L, a, b (0..255).
static MT_HD inline Triple rgb_to_lab(const Tables* t, int32_t r, int32_t g, int32_t b) {
  return linear_to_lab(t, t->linear[r], t->linear[g], t->linear[b]);
}

/// f^-1 for X and Z, times 2^14; i is f times 2^14.
static MT_HD inline int32_t lab_inverse_f(int32_t i) {
  constexpr int32_t kOne = 1 << 14;
  return i <= 3390 ? i * 108 / 841 - kOne * 16 / 116 * 108 / 841 : i * i / kOne * i / kOne;
}

/// L, a, b (0..255) to R, G, B (0..255).
static MT_HD inline Triple lab_to_rgb(const Tables* t, int32_t l, int32_t a, int32_t b) {
  constexpr int32_t kOne = 1 << 14;
  const int32_t y = t->lab_y[l], fy = t->lab_fy[l];
  // (a - 128) / 500 and (b - 128) / 200, by multiplication with the reciprocals.
  const int32_t da = ((5 * a * 53687 + (1 << 7)) >> 13) - 128 * kOne / 500;
  const int32_t db = ((b * 41943 + (1 << 4)) >> 9) - 128 * kOne / 200 + 1;
  const int32_t x = lab_inverse_f(fy + da), z = lab_inverse_f(fy - db);
  const int32_t* m = t->xyz_to_rgb;
  Triple rgb;
  for (int i = 0; i < 3; ++i) {
    const int32_t linear = (m[3 * i] * x + m[3 * i + 1] * y + m[3 * i + 2] * z + (1 << 13)) >> 14;
    rgb.v[i] = t->gamma[clamp_int(linear, 0, 4095)];
  }
  return rgb;
}

/// Luma as OpenCV's RGB2GRAY: BT.601 weights, times 2^15.
static MT_HD inline int32_t rgb_to_gray(int32_t r, int32_t g, int32_t b) {
  return (r * 9798 + g * 19235 + b * 3735 + (1 << 14)) >> 15;
}

/// Luma of pixel i of planar R, G, B. @param rgb [3][area]
static MT_HD inline int32_t planar_gray(const uint8_t* rgb, int area, int i) {
  return rgb_to_gray(rgb[i], rgb[area + i], rgb[2 * area + i]);
}

/// Luma of a row. @param rgb  a row of each of R, G, B; @param out  [width], written
template <class Group>
MT_HD void gray_row(Group& g, const uint8_t* const (&rgb)[3], int width, uint8_t* out) {
  const uint8_t *r = rgb[0], *gr = rgb[1], *b = rgb[2];
  g.for_each(width, [=](int x) { out[x] = static_cast<uint8_t>(rgb_to_gray(r[x], gr[x], b[x])); });
}

}  // namespace mt
