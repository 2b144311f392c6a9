// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <optional>

#include "executor/executor.h"

namespace mt {

/// The times of an executor's latest laps.
class LapTimes {
 public:
  static constexpr size_t kKept = 32;

  Lap next() { return {++count_}; }
  void store(Lap lap, double ms) { times_[lap.number % kKept] = {lap.number, ms}; }
  std::optional<double> ms(Lap lap) const {
    const Time& time = times_[lap.number % kKept];
    if (lap.number == 0 || time.number != lap.number) return std::nullopt;
    return time.ms;
  }

 private:
  struct Time {
    uint64_t number = 0;
    double ms = 0;
  };
  std::array<Time, kKept> times_{};
  uint64_t count_ = 0;
};

}  // namespace mt
