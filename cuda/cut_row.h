// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Choosing about so many of the smallest numbers of a row, by a group.
#pragma once

#include <math.h>

#include <cstdint>

#include "cuda/group.h"

namespace mt {

/// Some of the smallest of a row: what is below `end`, and of what is `end` those before `tie_end`.
struct Cut {
  int32_t end;
  int32_t tie_end;
  MT_HD bool operator()(int32_t value, int i) const {
    return (value < end) | ((value == end) & (i < tie_end));  // without a branch
  }
};

/// @param row [n], n < 2^16: so is what is counted, many at once
template <class Group>
static MT_HD int count_chosen(Group& g, const uint16_t* row, int n, Cut cut) {
  uint16_t count = 0;
  const auto end = static_cast<uint16_t>(cut.end);
  if (cut.tie_end == 0)
    g.for_each(n, [=, &count](int i) { count = static_cast<uint16_t>(count + (row[i] < end)); });
  else
    g.for_each(n, [=, &count](int i) { count = static_cast<uint16_t>(count + cut(row[i], i)); });
  return static_cast<int>(g.sum(count));
}

/// Where to count next: numbers of all sizes occur, so halfway by ratio; or where so many are to be
/// expected, when those below `last` have been counted. Like the volume of a ball they are about
/// the fourth power.
static MT_HD inline int32_t next_end(int32_t low, int32_t high, int32_t last, int count, int want) {
  const float power = count > 0 ? static_cast<float>(want) / static_cast<float>(count) : 0;
  const auto expected = static_cast<int32_t>(static_cast<float>(last) * sqrtf(sqrtf(power)));
  if (expected > low && expected < high) return expected;
  const auto mean =
      static_cast<int32_t>(sqrtf(static_cast<float>(low + 1) * static_cast<float>(high)));
  return mean > low && mean < high ? mean : low + (high - low) / 2;
}

/// Chooses at least `least` of the smallest of a row, at most `most`: any number between, as soon
/// as one is found.
/// @param row  [n], below UINT16_MAX; least <= n < 2^16
/// @param most > least, or n and more: then all of them are chosen, and `end` is UINT16_MAX
/// @param hint where the end may be
template <class Group>
static MT_HD Cut cut_row(Group& g, const uint16_t* row, int n, int least, int most, int32_t hint) {
  if (n <= most) return {UINT16_MAX, 0};
  int32_t low = 0, high = UINT16_MAX;  // below low are too few, below high too many
  const int want = (least + most) / 2;
  int32_t end = hint;
  for (int count = want, step = 1; high - low > 1; ++step) {
    // Where what is expected is always just missed, halves come to an end.
    end = next_end(low, high, end, step % 4 ? count : 0, want);
    count = count_chosen(g, row, n, {end, 0});
    if (count >= least && count <= most) return {end, 0};
    (count < least ? low : high) = end;
  }
  // What is `low` are more than fit: the first of them.
  int first = 0, last = n;
  while (last - first > 1) {
    const int middle = first + (last - first) / 2;
    const int count = count_chosen(g, row, n, {low, middle});
    if (count >= least && count <= most) return {low, middle};
    (count < least ? first : last) = middle;
  }
  return {low, last};
}

}  // namespace mt
