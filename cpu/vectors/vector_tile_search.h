// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The functions of executor/tile_search.h, in vectors of the instruction set that the file is
/// compiled for.
#pragma once

#include <bit>
#include <cstring>

#include "cpu/vectors/vector_distances.h"
#include "cpu/vectors/vectors.h"
#include "executor/tile_search.h"

namespace mt {
namespace {

using Coordinates = hn::Vec<decltype(kFeatureLanes)>;
constexpr int kSearchLanes = hn::MaxLanes(kSumLanes);
static_assert(kFan % kSearchLanes == 0 && kRestCoordinates % (2 * kSearchLanes) == 0);
/// No difference of coordinates counts for more: its square is above kFarthestLimit, and the sum of
/// those of a box fits 32 bits.
constexpr int16_t kFarCoordinate = 15500;
static_assert(kFarCoordinate * kFarCoordinate > kFarthestLimit &&
              uint64_t{kBoxCoordinates} * kFarCoordinate * kFarCoordinate <= UINT32_MAX);

/// A pair of coordinates in all lanes.
Coordinates repeated_pair(const int16_t* pair) {
  int32_t both;
  std::memcpy(&both, pair, sizeof both);
  return hn::BitCast(kFeatureLanes, hn::Set(kSumLanes, both));
}

/// Squared distances to kFan boxes. @param distance (lower, upper, point) -> in each coordinate
template <class Distance>
HWY_INLINE void box_distances(const int16_t* boxes, const int16_t* point, int32_t* out,
                              const Distance& distance) {
  for (int at = 0; at < kFan; at += kSearchLanes) {
    SumOfProducts sum;
    for (int pair = 0; pair < kBoxCoordinates / 2; ++pair) {
      const int16_t* ends = boxes + pair * 4 * kFan + 2 * at;
      const Coordinates d =
          distance(hn::LoadU(kFeatureLanes, ends), hn::LoadU(kFeatureLanes, ends + 2 * kFan),
                   repeated_pair(point + 2 * pair));
      sum.add(d, d);
    }
    hn::StoreU(sum.lanes(), kSumLanes, out + at);
  }
}

void distances_to_boxes_on_cpu(const int16_t* boxes, const TileQuery& query, int32_t* out) {
  box_distances(boxes, query.box, out, [](Coordinates lower, Coordinates upper, Coordinates point) {
    return hn::Max(hn::Max(hn::SaturatedSub(lower, point), hn::SaturatedSub(point, upper)),
                   hn::Zero(kFeatureLanes));
  });
}

void distances_across_boxes_on_cpu(const int16_t* boxes, const TileQuery& query, uint32_t* out) {
  alignas(64) int32_t distance[kFan];  // modulo 2^32
  box_distances(
      boxes, query.box, distance, [](Coordinates lower, Coordinates upper, Coordinates point) {
        return hn::Min(hn::Max(hn::SaturatedSub(point, lower), hn::SaturatedSub(upper, point)),
                       hn::Set(kFeatureLanes, kFarCoordinate));
      });
  std::memcpy(out, distance, sizeof distance);
}

/// The squared distance in all coordinates. @param first that in the first ones
HWY_INLINE int32_t distance_in_all(const TileIndexView& index, const TileQuery& query, size_t at,
                                   int32_t first) {
  SumOfProducts sum;
  const int16_t* rest = index.rest + at * kRestCoordinates;
  for (int i = 0; i < kRestCoordinates; i += 2 * kSearchLanes) {
    const Coordinates d =
        hn::Sub(hn::LoadU(kFeatureLanes, rest + i), hn::LoadU(kFeatureLanes, query.rest + i));
    sum.add(d, d);
  }
  const size_t leaf = at / kLeafTiles, in_leaf = at % kLeafTiles;
  const int32_t remainder =
      query.remainder -
      index.first[((leaf * (kFirstCoordinates / 2) + kFirstCoordinates / 2 - 1) * kLeafTiles +
                   in_leaf) *
                      2 +
                  1];
  return first - remainder * remainder + hn::GetLane(hn::SumOfLanes(kSumLanes, sum.lanes()));
}

/// Looks for kQueries cells into a leaf. @return the end of what was written
template <int kQueries>
FoundTile* search_leaf(const TileIndexView& index, size_t leaf, const TileQuery* queries,
                       const int32_t* limits, const int32_t* which, FoundTile* out) {
  constexpr int kVectors = kSearchLanes < 16 ? 2 : 4;  // see vector_products.h
  static_assert(kLeafTiles % (kVectors * kSearchLanes) == 0);
  alignas(64) int32_t sums[kQueries][kLeafTiles];
  const int16_t* first = index.first + leaf * kFirstCoordinates * kLeafTiles;
  const int32_t* norm = index.norm + leaf * kLeafTiles;
  for (int t = 0; t < kLeafTiles; t += kVectors * kSearchLanes) {
    SumOfProducts sum[kVectors][kQueries];
    for (int pair = 0; pair < kFirstCoordinates / 2; ++pair) {
      Coordinates point[kQueries];
      for (int q = 0; q < kQueries; ++q)
        point[q] = repeated_pair(queries[which[q]].first + 2 * pair);
      for (int v = 0; v < kVectors; ++v) {
        const Coordinates tiles =
            hn::LoadU(kFeatureLanes, first + (pair * kLeafTiles + t + v * kSearchLanes) * 2);
        for (int q = 0; q < kQueries; ++q) sum[v][q].add(tiles, point[q]);
      }
    }
    for (int v = 0; v < kVectors; ++v) {
      const int at = t + v * kSearchLanes;
      for (int q = 0; q < kQueries; ++q)
        hn::StoreU(hn::Add(sum[v][q].lanes(), hn::LoadU(kSumLanes, norm + at)), kSumLanes,
                   sums[q] + at);
    }
  }
  for (int q = 0; q < kQueries; ++q) {
    const TileQuery& query = queries[which[q]];
    const int32_t limit = limits[which[q]], most = limit - query.norm;
    for (int t = 0; t < kLeafTiles; t += kSearchLanes) {
      uint8_t bits[8] = {};
      hn::StoreMaskBits(
          kSumLanes, hn::Lt(hn::LoadU(kSumLanes, sums[q] + t), hn::Set(kSumLanes, most + 1)), bits);
      uint32_t mask;
      std::memcpy(&mask, bits, sizeof mask);
      for (; mask; mask &= mask - 1) {
        const int at = t + std::countr_zero(mask);
        const size_t place = leaf * kLeafTiles + at;
        const int32_t bound = distance_in_all(index, query, place, sums[q][at] + query.norm);
        *out = {which[q], index.tile[place], bound};
        out += bound <= limit;
      }
    }
  }
  return out;
}

size_t search_block_on_cpu(const TileIndexView& index, int block, const TileQuery* queries,
                           const int32_t* limits, const int32_t* chosen, int count,
                           int32_t* scratch, FoundTile* out) {
  int number[kFan] = {};
  const int16_t* boxes = index.leaf_boxes + static_cast<size_t>(block) * kBoxNumbers;
  for (int i = 0; i < count; ++i) {
    alignas(64) int32_t distance[kFan];
    distances_to_boxes_on_cpu(boxes, queries[chosen[i]], distance);
    const int32_t limit = limits[chosen[i]];
    for (int leaf = 0; leaf < kFan; ++leaf) {
      scratch[leaf * count + number[leaf]] = chosen[i];
      number[leaf] += distance[leaf] <= limit;
    }
  }
  FoundTile* end = out;
  for (int i = 0; i < kFan; ++i) {
    const size_t leaf = static_cast<size_t>(block) * kFan + i;
    const int32_t* which = scratch + i * count;
    int q = 0;
    for (; q + 4 <= number[i]; q += 4)
      end = search_leaf<4>(index, leaf, queries, limits, which + q, end);
    for (; q < number[i]; ++q) end = search_leaf<1>(index, leaf, queries, limits, which + q, end);
  }
  return static_cast<size_t>(end - out);
}

}  // namespace
}  // namespace mt
