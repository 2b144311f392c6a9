// SPDX-License-Identifier: LGPL-2.1-or-later
// The unsharp mask by its definition, for the tests of both kernels that sharpen.
#pragma once

#include "tests/kernels/colours.h"

namespace test {

/// The picture, plus `strength` times what a 5 x 5 Gaussian in whole levels removes.
inline Colour sharpened(const HostPicture& from, int x, int y, double strength) {
  static const int kWeights[5] = {1, 4, 6, 4, 1};
  Colour out;
  for (int c = 0; c < 3; ++c) {
    double sum = 0;
    for (int i = 0; i < 5; ++i)
      for (int k = 0; k < 5; ++k)
        sum += kWeights[i] * kWeights[k] * from.reflected_at(c, x + k - 2, y + i - 2);
    const double v = from.at(c, x, y) * (1 + strength) - rounded(sum / 256) * strength;
    out[c] = std::nearbyint(std::clamp(v, 0.0, 255.0));  // halves to the even level
  }
  return out;
}

}  // namespace test
