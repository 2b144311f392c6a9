// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What it costs a cell to change its tile: docs/algorithm.md says why, and bench/coherence.cpp is
/// what the constants were chosen with.
#pragma once

#include <algorithm>
#include <cstdint>

namespace mosaic {

/// Levels by which the mean colour of a cell moves, over R, G and B, before a viewer sees it.
inline constexpr double kVisibleStep = 2;

/// The most that a change may cost, in the units of costs.
inline constexpr int32_t kMostPrice = 100'000'000;

/// What a cell's source did. Levels are those of its mean colour, over R, G and B.
struct Movement {
  double drift = 0;   ///< levels since its tile was set, 0 or more
  double now = 0;     ///< levels since the frame before, 0 or more
  double others = 0;  ///< share of the frame's cells that moved by a visible step, 0..1
};

/// Prices of a change, as shares of what a chosen tile cost on the mean in the last frame.
struct PriceCurve {
  double still = 2;     ///< of a cell that looks as it did when its tile was set
  double moved = 0.28;  ///< of one that has drifted
  double drift = 6;     ///< levels at which it has, above 0
  /// On top, if all others move and it does not: they let go of tiles that it would swap for, and
  /// a change without a reason is seen. In proportion to how many do.
  double quiet = 0.45;
  /// On top, if it moves fast: what suits it now will not in the next frame.
  double fast = 0.18;
  double swift = 12;  ///< levels a frame at which it does, above 0; in proportion below

  /// Between `still` and `moved` Tukey's biweight: additions and multiplications alone, so the same
  /// on every machine.
  double at(const Movement& m) const {
    const double x = std::min(m.drift / drift, 1.0), rest = 1 - x * x;
    const double of_drift = moved + (still - moved) * rest * rest;
    return of_drift +
           (m.now < kVisibleStep ? quiet * m.others : fast * std::min(m.now / swift, 1.0));
  }
};

/// The factor by which `beta` (0..1) makes all prices dearer or cheaper: they are those of 0.3.
inline double price_factor(double beta) {
  return beta / 0.3;
}

}  // namespace mosaic
