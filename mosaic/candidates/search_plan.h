// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>

namespace mosaic {

/// Divides the cells between exact and rough lists so that making them fits into a time, as far as
/// the last frames predict how long each kind takes.
class SearchPlan {
 public:
  using Time = std::chrono::nanoseconds;
  struct Share {
    bool changed_exactly;  ///< all changed cells, and all `left` ones, get exact lists
    int left_exactly;      ///< how many of the `left` cells do
  };
  /// @param changed cells whose lists are to be made
  /// @param left    other cells, whose lists have been rough since an earlier frame
  Share share(int changed, int left, Time budget) const;

  /// Records how long the lists of `cells` cells took, in elapsed time. Ignored for few cells.
  void record_exact(int cells, Time time) { average(cells, time, exact_); }
  void record_rough(int cells, Time time) { average(cells, time, rough_); }

 private:
  static void average(int cells, Time time, double& of);

  // Nanoseconds per cell, averaged; at first guesses for one thread and some thousands of tiles.
  double exact_ = 50000, rough_ = 5000;
};

}  // namespace mosaic
