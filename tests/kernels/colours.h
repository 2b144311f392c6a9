// SPDX-License-Identifier: LGPL-2.1-or-later
// Colour spaces in double precision, from their definitions. Where a definition is in fixed point
// (OpenCV's conversions of 8-bit colours), its roundings are written as floor().
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/kernels/pictures.h"

namespace test {

/// IEC 61966-2-1. @param level 0..255; @return linear light, 0..1
inline double linear_of(double level) {
  const double v = level / 255;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
/// @param light is clamped to 0..1; @return 0..255
inline double level_of(double light) {
  const double v = std::clamp(light, 0.0, 1.0);
  return 255 * (v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055);
}

/// Oklab (Ottosson 2020) of R, G, B 0..255.
inline Colour oklab_of(const Colour& rgb) {
  const double r = linear_of(rgb[0]), g = linear_of(rgb[1]), b = linear_of(rgb[2]);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}
/// R, G, B 0..255, not rounded.
inline Colour rgb_of_oklab(const Colour& lab) {
  const double l = std::pow(lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2], 3);
  const double m = std::pow(lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2], 3);
  const double s = std::pow(lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2], 3);
  return {level_of(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          level_of(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          level_of(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}
inline double chroma_of(const Colour& rgb) {
  const Colour lab = oklab_of(rgb);
  return std::hypot(lab[1], lab[2]);
}

/// f of CIE 15, and its inverse.
inline double cie_f(double t) {
  return t > 216.0 / 24389 ? std::cbrt(t) : t * 841 / 108 + 16.0 / 116;
}
inline double cie_inverse_f(double f) {
  return f > 6.0 / 29 ? f * f * f : (f - 16.0 / 116) * 108 / 841;
}

inline double rounded(double v) {
  return std::floor(v + 0.5);
}

/// 8-bit L, a, b as OpenCV 4 defines them: linear light in steps of 1/2040, the matrix in units of
/// 1/4096, f in units of 2^-15.
inline Colour lab8_of(const Colour& rgb) {
  static const double kXyz[3][3] = {{0.412453, 0.357580, 0.180423},
                                    {0.212671, 0.715160, 0.072169},
                                    {0.019334, 0.119193, 0.950227}};
  static const double kWhite[3] = {0.950456, 1, 1.088754};
  double f[3];
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (int c = 0; c < 3; ++c)
      sum += rounded(4096 * kXyz[i][c] / kWhite[i]) * rounded(2040 * linear_of(rgb[c]));
    f[i] = rounded(32768 * cie_f(rounded(sum / 4096) / 2040));
  }
  // 116 x 255 / 100 and 16 x 255 / 100 x 2^15, as whole numbers.
  const Colour lab = {(296 * f[1] - 1336934) / 32768, 500 * (f[0] - f[1]) / 32768 + 128,
                      200 * (f[1] - f[2]) / 32768 + 128};
  return {std::clamp(rounded(lab[0]), 0.0, 255.0), std::clamp(rounded(lab[1]), 0.0, 255.0),
          std::clamp(rounded(lab[2]), 0.0, 255.0)};
}

/// R, G, B 0..255 of 8-bit L, a, b by the formulas of CIE 15, rounded once at the end. OpenCV's
/// fixed point differs from that by 2 levels at most, in dark colours, where its table of 4096
/// steps of light is coarse.
inline Colour rgb_of_lab8(const Colour& lab) {
  static const double kRgb[3][3] = {{3.240479, -1.53715, -0.498535},
                                    {-0.969256, 1.875991, 0.041556},
                                    {0.055648, -0.204043, 1.057311}};
  const double l = lab[0] * 100 / 255, fy = (l + 16) / 116;
  const double x = 0.950456 * cie_inverse_f(fy + (lab[1] - 128) / 500);
  const double y = cie_inverse_f(fy);
  const double z = 1.088754 * cie_inverse_f(fy - (lab[2] - 128) / 200);
  Colour rgb;
  for (int i = 0; i < 3; ++i)
    rgb[i] = rounded(level_of(kRgb[i][0] * x + kRgb[i][1] * y + kRgb[i][2] * z));
  return rgb;
}

/// 8-bit H (0..179), S, V as OpenCV defines them: quotients in units of 1/4096.
inline Colour hsv8_of(const Colour& rgb) {
  const double r = rgb[0], g = rgb[1], b = rgb[2];
  const double v = std::max({r, g, b}), span = v - std::min({r, g, b});
  if (span == 0) return {0, 0, v};
  const double sixths = v == r ? g - b : v == g ? b - r + 2 * span : r - g + 4 * span;
  const double h = rounded(sixths * rounded(30 * 4096 / span) / 4096);
  return {h < 0 ? h + 180 : h, rounded(span * rounded(255 * 4096 / v) / 4096), v};
}

/// R, G, B 0..255 of 8-bit H, S, V, truncated to levels, as OpenCV's vector code does. What is a
/// whole level here may be one less in single precision.
inline Colour rgb_of_hsv8(const Colour& hsv) {
  const double sector = std::floor(hsv[0] / 30), f = hsv[0] / 30 - sector, s = hsv[1] / 255;
  const double v = hsv[2], p = v * (1 - s), q = v * (1 - s * f), t = v * (1 - s * (1 - f));
  const Colour of_sector[6] = {{v, t, p}, {q, v, p}, {p, v, t}, {p, q, v}, {t, p, v}, {v, p, q}};
  Colour rgb = of_sector[static_cast<int>(sector)];
  for (double& level : rgb) level = std::floor(level + 1e-9);
  return rgb;
}

/// Whether a colour may be skin: mosaicraft's limits in OpenCV's 8-bit HSV and YCrCb.
inline bool is_skin(const Colour& rgb) {
  const Colour hsv = hsv8_of(rgb);
  if (hsv[0] > 28 && hsv[0] < 170) return false;
  if (hsv[1] < 25 || hsv[1] > 180 || hsv[2] < 60) return false;
  // BT.601 in units of 2^-14.
  const double y = rounded((4899 * rgb[0] + 9617 * rgb[1] + 1868 * rgb[2]) / 16384);
  const double cr = rounded((rgb[0] - y) * 11682 / 16384) + 128;
  const double cb = rounded((rgb[2] - y) * 9241 / 16384) + 128;
  return cr >= 133 && cr <= 173 && cb >= 77 && cb <= 127;
}

/// Luma as OpenCV's 8-bit RGB2GRAY: weights of BT.601 in units of 2^-15.
inline double gray8_of(const Colour& rgb) {
  return rounded((9798 * rgb[0] + 19235 * rgb[1] + 3735 * rgb[2]) / 32768);
}

}  // namespace test
