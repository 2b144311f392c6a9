// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Selecting the entries of a list that have the smallest values.
#pragma once

#include <cstdint>

#include "kernels/group.h"

namespace mt {

/// The number of i, 0 <= i < n, for which holds(i).
template <class Group, class Predicate>
static MT_HD int32_t count_where(Group& g, int n, Predicate holds) {
  uint32_t mine = 0;
  g.for_each(n, [=, &mine](int i) { mine += holds(i); });
  return static_cast<int32_t>(g.sum(mine));
}

/// A value up to which a list has at least as many entries as were asked for.
struct ValueLimit {
  uint32_t value;
  int32_t count;  ///< entries up to it
};

/// A limit up to which a list has `need` entries, or more if several have the limit itself as their
/// value. It lies between the smallest and the largest value.
/// @param n      entries, at least `need`, which is at least 1
/// @param value  value(i), 0 <= i < n, the value of entry i
template <class Group, class Value>
static MT_HD ValueLimit find_limit(Group& g, int n, int need, Value value) {
  uint32_t least = UINT32_MAX, most = 0;
  g.for_each(n, [=, &least, &most](int i) {
    const uint32_t v = value(i);
    least = v < least ? v : least;
    most = v > most ? v : most;
  });
  // Bisection: there are fewer than `need` entries below `low`, and `count` up to `high`.
  auto low = static_cast<uint32_t>(g.min(least));
  auto high = static_cast<uint32_t>(UINT32_MAX - g.min(UINT32_MAX - most));
  int32_t count = n;
  while (low < high && count > need) {
    const uint32_t middle = low + (high - low) / 2;
    const int32_t up_to = count_where(g, n, [=](int i) { return value(i) <= middle; });
    if (up_to < need) {
      low = middle + 1;
    } else {
      high = middle;
      count = up_to;
    }
  }
  return {high, count};
}

/// A list of tiles, each with a value. All tiles are different.
struct TileValues {
  const uint32_t* value;  ///< at most INT32_MAX
  const int32_t* tile;
};

/// Selects the tiles with a smaller value, and of those that have the value itself the ones up to a
/// tile.
struct TileLimit {
  uint32_t value;
  int32_t tile;  ///< INT32_MAX: all that have the value
};

/// The limit that selects exactly `need` of n tiles: those with the smallest values, and among
/// equal values the lowest tiles.
template <class Group>
static MT_HD TileLimit find_tile_limit(Group& g, int n, int need, const TileValues& list) {
  const uint32_t* values = list.value;
  const int32_t* tiles = list.tile;
  const ValueLimit limit = find_limit(g, n, need, [=](int i) { return values[i]; });
  if (limit.count == need) return {limit.value, INT32_MAX};
  const int32_t below = count_where(g, n, [=](int i) { return values[i] < limit.value; });
  const ValueLimit among_equal = find_limit(g, n, need - below, [=](int i) {
    return values[i] == limit.value ? static_cast<uint32_t>(tiles[i]) : UINT32_MAX;
  });
  return {limit.value, static_cast<int32_t>(among_equal.value)};
}

}  // namespace mt
