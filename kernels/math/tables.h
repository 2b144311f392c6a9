// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

namespace mt {

/// Steps of Tables::srgb_of_root.
inline constexpr int kSrgbSteps = 4096;

/// Steps of linear light in Tables::linear.
inline constexpr int kLightSteps = 255 * 8;

/// All transcendental functions that kernels need, tabulated once on the host (see tables.cpp for
/// the formulas). Elements are 32 bits wide because vector instructions gather such elements.
struct Tables {
  /// sRGB value to linear light, times 255 * 8.
  int32_t linear[256];
  /// CIELAB's f() of linear light in steps of 1 / (255 * 8), times 2^15. Up to 1.5, because rounded
  /// matrix rows may give white slightly more than 1.
  int32_t lab_f[256 * 3 / 2 * 8];
  /// Rows X, Y, Z over columns R, G, B of linear sRGB, divided by the D65 white, times 2^12.
  int32_t rgb_to_xyz[9];
  /// 8-bit L* to Y and to f(Y), times 2^14.
  int32_t lab_y[256];
  int32_t lab_fy[256];
  /// Rows R, G, B over columns X, Y, Z, times the white, times 2^12.
  int32_t xyz_to_rgb[9];
  /// Linear light in steps of 1 / 4096 to sRGB 0..255.
  int32_t gamma[4096];
  /// sRGB value to linear light, 0..1.
  float linear_unit[256];
  /// 180 / 6 * 2^12 / i, rounded: for the hue of HSV. [0] is 0.
  int32_t hue_divisor[256];
  /// sRGB value, 0..255, of the square of i / kSrgbSteps in linear light.
  float srgb_of_root[kSrgbSteps + 1];
  /// sRGB value of a tile to that of its brighter and its darker variant (see brightness.h).
  uint8_t brighter[256];
  uint8_t darker[256];
};

/// The tables, built at the first call. Thread safe.
const Tables& tables();

}  // namespace mt
