// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Selects the smallest elements of a row by a group; how many is given as a range.
#pragma once

#include <math.h>

#include <cstdint>

#include "cuda/group.h"

namespace mt {

/// Selects some of the smallest elements of a row: those below `limit`, and those equal to it at
/// indices < `tie_end`.
struct Threshold {
  int32_t limit;
  int32_t tie_end;
  MT_HD bool operator()(int32_t value, int i) const {
    return (value < limit) | ((value == limit) & (i < tie_end));  // without a branch
  }
};

/// @param row [n], n < 2^16, so that 16-bit counters suffice and more of them fit a vector
template <class Group>
static MT_HD int count_selected(Group& g, const uint16_t* row, int n, Threshold threshold) {
  uint16_t count = 0;
  const auto limit = static_cast<uint16_t>(threshold.limit);
  if (threshold.tie_end == 0)
    g.for_each(n, [=, &count](int i) { count = static_cast<uint16_t>(count + (row[i] < limit)); });
  else
    g.for_each(n,
               [=, &count](int i) { count = static_cast<uint16_t>(count + threshold(row[i], i)); });
  return static_cast<int>(g.sum(count));
}

/// The next limit to try, between `low` and `high`. If `count` > 0 elements are below the limit
/// `last`, the limit below which `want` elements are expected, assuming that their number grows as
/// the fourth power of the limit. Otherwise the geometric mean of `low` and `high`, because rows
/// have values of all magnitudes.
static MT_HD inline int32_t next_limit(int32_t low, int32_t high, int32_t last, int count,
                                       int want) {
  const float power = count > 0 ? static_cast<float>(want) / static_cast<float>(count) : 0;
  const auto expected = static_cast<int32_t>(static_cast<float>(last) * sqrtf(sqrtf(power)));
  if (expected > low && expected < high) return expected;
  const auto mean =
      static_cast<int32_t>(sqrtf(static_cast<float>(low + 1) * static_cast<float>(high)));
  return mean > low && mean < high ? mean : low + (high - low) / 2;
}

/// Finds a threshold that selects at least `least` and at most `most` of the smallest elements of a
/// row: the first such threshold that the search finds.
/// @param row  [n], below UINT16_MAX; least <= n < 2^16
/// @param most above `least`; if it is n or more, all are selected and the limit is UINT16_MAX
/// @param hint a first guess of the limit
template <class Group>
static MT_HD Threshold find_threshold(Group& g, const uint16_t* row, int n, int least, int most,
                                      int32_t hint) {
  if (n <= most) return {UINT16_MAX, 0};
  int32_t low = 0, high = UINT16_MAX;  // too few elements are below low, too many below high
  const int want = (least + most) / 2;
  int32_t limit = hint;
  for (int count = want, step = 1; high - low > 1; ++step) {
    // Every fourth step takes the mean, so that the loop ends even if expectations keep missing.
    limit = next_limit(low, high, limit, step % 4 ? count : 0, want);
    count = count_selected(g, row, n, {limit, 0});
    if (count >= least && count <= most) return {limit, 0};
    (count < least ? low : high) = limit;
  }
  // Too many elements are equal to `low`: only the first of them are selected.
  int first = 0, last = n;
  while (last - first > 1) {
    const int middle = first + (last - first) / 2;
    const int count = count_selected(g, row, n, {low, middle});
    if (count >= least && count <= most) return {low, middle};
    (count < least ? first : last) = middle;
  }
  return {low, last};
}

}  // namespace mt
