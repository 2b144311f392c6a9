// SPDX-License-Identifier: LGPL-2.1-or-later
// The similarity of two grey pictures, by the definitions in double precision.
#pragma once

#include <cmath>
#include <cstdint>

namespace test {

/// Structural similarity as scikit-image has it, by its definition.
inline double plain_ssim(const uint8_t* a, const uint8_t* b, int side) {
  double sum = 0;
  for (int top = 0; top + 7 <= side; ++top)
    for (int left = 0; left + 7 <= side; ++left) {
      double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
      for (int i = 0; i < 49; ++i) {
        const int at = (top + i / 7) * side + left + i % 7;
        x += a[at] / 49.0;
        y += b[at] / 49.0;
        xx += a[at] * a[at] / 49.0;
        yy += b[at] * b[at] / 49.0;
        xy += a[at] * b[at] / 49.0;
      }
      const double sample = 49.0 / 48.0, c1 = 0.01 * 255 * 0.01 * 255, c2 = 0.03 * 255 * 0.03 * 255;
      sum += (2 * x * y + c1) * (2 * sample * (xy - x * y) + c2) /
             ((x * x + y * y + c1) * (sample * (xx - x * x + yy - y * y) + c2));
    }
  return sum / ((side - 6) * (side - 6));
}

inline double plain_correlation(const uint8_t* a, const uint8_t* b, int n) {
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (int i = 0; i < n; ++i) {
    x += a[i];
    y += b[i];
  }
  x /= n;
  y /= n;
  for (int i = 0; i < n; ++i) {
    xx += (a[i] - x) * (a[i] - x);
    yy += (b[i] - y) * (b[i] - y);
    xy += (a[i] - x) * (b[i] - y);
  }
  return xy / n / ((std::sqrt(xx / n) + 1e-8) * (std::sqrt(yy / n) + 1e-8));
}

}  // namespace test
