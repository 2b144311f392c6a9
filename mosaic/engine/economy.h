// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <iterator>

#include "mosaic/analysis/analysis.h"

namespace mosaic {

/// What is left out of frames of a look with fidelity where there is too little time: small changes
/// of the source.
struct Economy {
  double analysis_levels;  ///< AnalysisTolerance::levels
  double redraw;           ///< factor of the change at which a cell is drawn anew
};

/// Economies from none to the greatest. That saves about two fifths of the time of a moving
/// picture.
inline constexpr Economy kEconomies[] = {
    {kAnalysisTolerance, 1}, {1.5, 1.25}, {2, 1.5}, {3, 2}, {4, 2.5}, {6, 3}};
inline constexpr int kMostEconomy = static_cast<int>(std::size(kEconomies)) - 1;

}  // namespace mosaic
