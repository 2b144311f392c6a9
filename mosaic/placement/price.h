// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Switching prices: what it costs a cell to change its tile. docs/algorithm.md says why; the
/// constants were chosen by means of bench/coherence.cpp.
#pragma once

#include <algorithm>
#include <cstdint>

namespace mosaic {

/// The visible step: by how many levels the mean colour of a cell, averaged over R, G and B, has to
/// change for a viewer to see it.
inline constexpr double kVisibleStep = 2;

/// The highest switching price, in the units of costs.
inline constexpr int32_t kMaxPrice = 100'000'000;

/// How the source changed in a cell: by levels of its mean colour, averaged over R, G and B.
struct Movement {
  double drift = 0;         ///< levels since its tile was assigned, 0 or more
  double speed = 0;         ///< levels since the frame before, 0 or more
  double moving_share = 0;  ///< share of the frame's cells that moved by a visible step, 0..1
  bool in_region = false;   ///< the cell is in a region of interest
};

/// The factor of all prices in regions of interest. Costs there have three times their weight, so
/// with an equal price many more tiles would change; with three times the price, too few.
inline constexpr double kRegionFactor = 1.25;

/// Switching prices, as multiples of the mean cost of an assigned tile in the previous frame.
struct PriceCurve {
  double without_drift = 1.9;
  double with_drift = 0.28;  ///< of a cell whose drift is `full_drift` or more
  double full_drift = 6;     ///< levels, above 0
  /// Added for a cell that does not move, times the share of cells that do: these give up tiles
  /// that would suit it better, but a viewer sees a change without a reason.
  double still_surcharge = 0.45;
  /// Added for a cell that moves fast: what suits it now will not suit it in the next frame.
  double fast_surcharge = 0.18;
  double fast_speed = 12;  ///< levels per frame, above 0, at which `fast_surcharge` is added in
                           ///< full; less, in proportion, below
  double region_factor = kRegionFactor;

  /// The price. Between the prices without and with drift it follows Tukey's biweight, which takes
  /// basic arithmetic alone, so it is the same on every machine.
  double at(const Movement& m) const {
    const double x = std::min(m.drift / full_drift, 1.0), rest = 1 - x * x;
    const double of_drift = with_drift + (without_drift - with_drift) * rest * rest;
    const double price =
        of_drift + (m.speed < kVisibleStep ? still_surcharge * m.moving_share
                                           : fast_surcharge * std::min(m.speed / fast_speed, 1.0));
    return m.in_region ? region_factor * price : price;
  }
};

/// Switching prices where the frames to come are known, as multiples of the mean cost of a tile in
/// the frame's best assignment. They need neither the drift nor the speed of a cell: what follows
/// from these is in the costs of the frames to come.
struct LookaheadPrice {
  double base = 1;
  /// Added where the cell's mean colour moves less than a visible step.
  double still_surcharge = 3.5;
  double region_factor = kRegionFactor;

  /// The price. The base grows with the square of the factor by which prices without lookahead
  /// grow, because only then do tiles change less often to the same extent: a tile whose cost grows
  /// steadily is kept for a time in proportion to the price without lookahead, but to its square
  /// root where the frames to come are known.
  /// @param factor of PriceCurve's prices, see price_factor() and price_factor_of_fidelity()
  double at(const Movement& m, double factor) const {
    const double price = factor * (factor * base + (m.speed < kVisibleStep ? still_surcharge : 0));
    return m.in_region ? region_factor * price : price;
  }
};

/// The factor by which `beta` (0..1) scales switching prices; it is 1 for beta = 0.3, for which
/// PriceCurve gives them.
inline double price_factor(double beta) {
  return beta / 0.3;
}

/// The factor of switching prices by the fidelity of the look. The correction of cells hides most
/// of the colour error of a tile that suits its cell less, but not that it changes.
inline double price_factor_of_fidelity(double fidelity) {
  return 1 + 2 * fidelity;
}

/// The factor of switching prices where photos are counted, chosen so that no more tiles change
/// than where tiles are counted, and with a lookahead fewer than without. Where photos may repeat,
/// a cell that changes its photo more often forces others to change theirs.
inline double price_factor_of_photos(bool repeat, bool lookahead) {
  if (!repeat) return 1;
  return lookahead ? 1.5 : 1.35;
}

}  // namespace mosaic
