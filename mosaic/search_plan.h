// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>

namespace mosaic {

/// Whose tiles are searched for exactly and whose roughly, where there is little time: by what such
/// searches took of late.
class SearchPlan {
 public:
  using Time = std::chrono::nanoseconds;
  struct Share {
    bool changed_exactly;  ///< and all that are left, too
    int left_exactly;      ///< of those that are left
  };
  /// @param changed cells whose lists are to be made
  /// @param left    others that have only been searched roughly so far
  Share share(int changed, int left, Time budget) const;

  /// Takes note of what searches took, all threads together.
  void took_exactly(int cells, Time time) { average(cells, time, exact_); }
  void took_roughly(int cells, Time time) { average(cells, time, rough_); }

 private:
  static void average(int cells, Time time, double& of);

  // Nanoseconds for a cell; at first a guess for one thread and some thousand tiles.
  double exact_ = 50000, rough_ = 5000;
};

}  // namespace mosaic
