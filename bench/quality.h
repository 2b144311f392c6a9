// SPDX-License-Identifier: LGPL-2.1-or-later
// The quality of chosen tiles, measured independently of the code that chose them.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/source.h"
#include "mosaic/placement/placement.h"

namespace bench {

/// Compares the tiles chosen for the frames of a clip with the optimum of each frame, and with each
/// other from frame to frame. It analyses the frames itself, and makes the candidate lists itself
/// from which the costs come.
class Quality {
 public:
  Quality(const Setup& setup, Clip& clip);
  /// Goes on to the next frame. @param tiles [cells]: chosen for it
  void add(const std::vector<int32_t>& tiles);
  /// Writes one line to stdout. See bench/README.md.
  void print() const;

 private:
  double sum_of_costs(const std::vector<int32_t>& tiles) const;

  Source source_;
  mosaic::Placement best_;
  mosaic::Placement::Settings no_price_;
  std::vector<int32_t> last_;
  int frames_ = 0, continued_ = 0;  ///< all, and those that are not scene cuts
  double cost_ = 0, excess_ = 0;
  int64_t changed_ = 0, unexplained_ = 0;
};

}  // namespace bench
