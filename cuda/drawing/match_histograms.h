// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/group.h"
#include "cuda/math/lab.h"
#include "cuda/math/mix.h"
#include "cuda/views.h"

namespace mt {

/// Shared memory of match_histograms(), bytes.
inline constexpr int kMatchShared = 3 * shared_block<int32_t>(3 * 256);

/// The first of 256 ascending ranks that is at least `rank`; one of them is.
static MT_HD inline int first_with_rank(const int32_t* ranks, int32_t rank) {
  int at = 0;
  for (int step = 128; step > 0; step /= 2) at += ranks[at + step - 1] < rank ? step : 0;
  return at;
}

/// Maps a value of a picture to the value with the same rank in another picture with the same
/// number of pixels, as skimage.exposure.match_histograms does: linearly between values that occur
/// in the other picture, truncated.
/// @param below  number of the picture's pixels with at most this value
/// @param ranks  [256]: number of the other picture's pixels with at most each value
static MT_HD inline int32_t match_rank(int32_t below, const int32_t* ranks) {
  const int upper = first_with_rank(ranks, below);
  if (ranks[upper] == below) {
    // The first value that reaches the rank; it occurs in the other picture.
    return upper;
  }
  if (upper == 0 || ranks[upper - 1] == 0) return upper;  // below the lowest value that occurs
  const int32_t reached = ranks[upper - 1];
  const int lower = first_with_rank(ranks, reached);
  return lower + static_cast<int32_t>(static_cast<int64_t>(below - reached) * (upper - lower) /
                                      (ranks[upper] - reached));
}

/// Matches the histograms of a rectangle, channel by channel, with those of the same rectangle of
/// another picture: share x the matched value + (1 - share) x the original value.
/// @param like     the picture whose histograms are taken
/// @param picture  changed
/// @param r        lies within both pictures
template <class Group>
static MT_HD void match_histograms(Group& g, const Planes& like, const Planes& picture,
                                   const CellRect& r, float share) {
  int32_t* own = g.template shared<int32_t>(3 * 256);
  int32_t* wanted = g.template shared<int32_t>(3 * 256);
  int32_t* map = g.template shared<int32_t>(3 * 256);
  g.for_each(3 * 256, [=](int i) { own[i] = wanted[i] = 0; });
  g.sync();
  for (int c = 0; c < 3; ++c) {
    const uint8_t* a = picture.plane[c] + static_cast<int64_t>(r.y) * picture.stride + r.x;
    const uint8_t* b = like.plane[c] + static_cast<int64_t>(r.y) * like.stride + r.x;
    const int64_t a_pitch = picture.stride, b_pitch = like.stride;
    g.for_each(r.height, r.width, [=, &g](int y, int x) {
      g.add(own[c * 256 + a[y * a_pitch + x]], 1);
      g.add(wanted[c * 256 + b[y * b_pitch + x]], 1);
    });
  }
  g.sync();
  g.for_each(6, [=](int i) {
    int32_t* counts = (i < 3 ? own : wanted) + i % 3 * 256;
    for (int v = 1; v < 256; ++v) counts[v] += counts[v - 1];
  });
  g.sync();
  g.for_each(3 * 256, [=](int i) {
    map[i] = mix_exactly(i % 256, match_rank(own[i], wanted + i / 256 * 256), share);
  });
  g.sync();
  for (int c = 0; c < 3; ++c) {
    uint8_t* out = picture.plane[c] + static_cast<int64_t>(r.y) * picture.stride + r.x;
    const int64_t pitch = picture.stride;
    const int32_t* m = map + c * 256;
    g.for_each(r.height, r.width, [=](int y, int x) {
      out[y * pitch + x] = static_cast<uint8_t>(m[out[y * pitch + x]]);
    });
  }
}

}  // namespace mt
