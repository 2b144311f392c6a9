// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "tests/storms/journal.h"
#include "tests/storms/random.h"
#include "tests/storms/surroundings.h"

namespace storm {

/// What a storm has done.
struct Tally {
  std::atomic<int64_t> frames = 0;       ///< that came out of elements
  std::atomic<int64_t> restarts = 0;     ///< of elements, from NULL
  std::atomic<double> longest_stop = 0;  ///< seconds that a change to NULL or READY took
};

/// What both kinds of storms, which are randomised stress tests, share.
struct Weather {
  Journal& journal;
  const Surroundings& surroundings;
  Random& random;
  Tally& tally;

  /// Calls `change`, which changes the state of elements to NULL or READY, and fails the storm if
  /// that takes too long.
  void stop(const std::string& what, const std::function<void()>& change) const;
};

/// Text of random caps.
/// @param large whether sides of more than 320 pixels are possible
std::string random_caps(Random& random, bool large);

/// One pipeline, or several at the same time, from the making to the end, with random changes of
/// everything.
void pipeline_storm(const Weather& weather);

/// One element in a GstHarness, with random buffers, events and queries.
void harness_storm(const Weather& weather);

}  // namespace storm
