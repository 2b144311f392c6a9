// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/math/tables.h"

#include <cmath>
#include <memory>

#include "kernels/math/brightness.h"

namespace mt {
namespace {

// The D65 white and the sRGB primaries with OpenCV's digits. The features are computed from
// OpenCV's 8-bit CIELAB, so its tables are reproduced to the last bit; tests/parity compares all
// 2^24 colours.
constexpr double kWhite[3] = {0.950456, 1.0, 1.088754};
constexpr double kRgbToXyz[9] = {0.412453, 0.357580, 0.180423, 0.212671, 0.715160,
                                 0.072169, 0.019334, 0.119193, 0.950227};
constexpr double kXyzToRgb[9] = {3.240479, -1.53715, -0.498535, -0.969256, 1.875991,
                                 0.041556, 0.055648, -0.204043, 1.057311};

// IEC 61966-2-1.
double srgb_to_linear(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double linear_to_srgb(double v) {
  return v <= 0.0031308 ? v * 12.92 : std::pow(v, 1 / 2.4) * 1.055 - 0.055;
}

// CIE 15: f(t) = cbrt(t) above (6/29)^3, linear below.
double lab_f(double t) {
  return t < 216.0 / 24389 ? t * (841.0 / 108) + 16.0 / 116 : std::cbrt(t);
}

float truncated_to_float(double v) {
  const float f = static_cast<float>(v);
  return f > v ? std::nextafter(f, 0.0f) : f;
}

int32_t rounded(double v) {
  return static_cast<int32_t>(std::nearbyint(v));
}

void fill_to_lab(Tables& t) {
  for (int i = 0; i < 256; ++i) {
    const double linear = srgb_to_linear(static_cast<float>(i) / 255.0f);
    t.linear[i] = rounded(255 * 8 * linear);
    t.linear_unit[i] = static_cast<float>(srgb_to_linear(i / 255.0));
  }
  for (int i = 0; i < 256 * 3 / 2 * 8; ++i) {
    // OpenCV truncates its cube root to single precision; rounding would change two entries.
    const float t_unit = (1 / (255.0f * 8)) * static_cast<float>(i);
    t.lab_f[i] = rounded(32768.0f * truncated_to_float(lab_f(t_unit)));
  }
  for (int i = 0; i < 9; ++i) t.rgb_to_xyz[i] = rounded(4096 * kRgbToXyz[i] / kWhite[i / 3]);
}

void fill_from_lab(Tables& t) {
  for (int i = 0; i < 256; ++i) {
    const double fy = (i * 100.0 / 255 + 16) / 116;
    // The linear part reaches up to L* = 8, which is 20.4 in 8 bits.
    if (i <= 20) {
      t.lab_y[i] = rounded(16384 * i * (20.0 * 9) / (17.0 * 29 * 29 * 29));
      t.lab_fy[i] = rounded(16384 * (16.0 / 116 + i * 5 / (3.0 * 17 * 29)));
    } else {
      t.lab_y[i] = rounded(16384 * fy * fy * fy);
      t.lab_fy[i] = rounded(16384 * fy);
    }
  }
  for (int i = 0; i < 9; ++i) t.xyz_to_rgb[i] = rounded(4096 * kXyzToRgb[i] * kWhite[i % 3]);
  for (int i = 0; i < 4096; ++i) t.gamma[i] = rounded(255 * linear_to_srgb(i / 4096.0));
}

std::unique_ptr<Tables> build() {
  auto t = std::make_unique<Tables>();
  fill_to_lab(*t);
  fill_from_lab(*t);
  for (int i = 1; i < 256; ++i) t->hue_divisor[i] = rounded(30.0 * 4096 / i);
  for (int i = 0; i <= kSrgbSteps; ++i) {
    const double root = static_cast<double>(i) / kSrgbSteps;
    t->srgb_of_root[i] = static_cast<float>(255 * linear_to_srgb(root * root));
  }
  fill_gain_tables(t->brighter, t->darker);
  return t;
}

}  // namespace

const Tables& tables() {
  static const std::unique_ptr<Tables> built = build();
  return *built;
}

}  // namespace mt
