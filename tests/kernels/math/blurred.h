// SPDX-License-Identifier: LGPL-2.1-or-later
// The Gaussian blur of kernels/math/blur.h by its definition, for all kernels that use it.
#pragma once

#include "kernels/math/blur.h"
#include "tests/kernels/pictures.h"

namespace test {

inline constexpr mt::BlurWeights kBlurWeights{{5000, 4000, 3000, 2500, 2000, 1500, 500, 384}};

/// Along a row, in whole units of 1/256 level.
inline double blurred_along(const HostPicture& from, int c, int x, int y) {
  double sum = 0;
  for (int k = -7; k <= 7; ++k)
    sum += kBlurWeights.at[std::abs(k)] * double(from.reflected_at(c, x + k, y));
  return std::floor(sum / 32768 * 256 + 0.5);
}

/// Then along the column. @param rows  blurred along the rows
inline double blurred_down(const HostPlanes<uint16_t>& rows, int c, int x, int y) {
  double sum = 0;
  for (int k = -7; k <= 7; ++k)
    sum += kBlurWeights.at[std::abs(k)] * double(rows.reflected_at(c, x, y + k));
  return std::floor(sum / 32768 + 0.5);
}

/// Marks of skin, blurred along the rows, with areas that are all and that are not at all skin.
inline int skin_rows_level(int, int x, int y) {
  return y / 20 % 3 == 0 ? noise_level(1, x, y) * 256 : y / 20 % 3 == 1 ? 65280 : 0;
}

}  // namespace test
