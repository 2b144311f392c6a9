// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace mosaic {

/// What a change of tile costs a cell, in the unit of `mean`: what a chosen tile cost on the mean
/// in the last frame (docs/algorithm.md has the measurement).
/// @param beta 0..1
inline double price_of_change(double mean, double beta) {
  constexpr double kPrice = 0.5, kDefaultBeta = 0.3;
  return mean * kPrice * beta / kDefaultBeta;
}

}  // namespace mosaic
