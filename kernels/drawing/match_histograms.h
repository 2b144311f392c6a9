// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Histogram matching as skimage.exposure.match_histograms does it. The rank of a level is the
/// number of pixels with at most that level. A level of a picture becomes the level with the same
/// rank in another picture of as many pixels, interpolated linearly between levels that occur
/// there, and truncated.
#pragma once

#include "kernels/group.h"
#include "kernels/math/count_below.h"
#include "kernels/math/histogram.h"
#include "kernels/math/mix.h"

namespace mt {

inline constexpr int kLevels = 256;
static_assert(kLevels == kCounted);

/// The histograms of two pictures, in shared memory, and the map from the one to the other.
class HistogramMatch {
 public:
  static constexpr int kShared = 4 * shared_block<int32_t>(3 * kLevels);

  /// @param share how far levels move towards the matched ones, 1/16..15/16
  template <class Group>
  MT_HD HistogramMatch(Group& g, float share)
      : share_(share),
        own_(empty_histogram<int32_t>(g, 3 * kLevels)),
        wanted_(empty_histogram<int32_t>(g, 3 * kLevels)),
        first_(g.template shared<int32_t>(3 * kLevels)),
        map_(g.template shared<int32_t>(3 * kLevels)) {}

  /// Counts levels of a channel of both pictures. To be followed by a sync.
  template <class Group>
  MT_HD void count(Group& g, int channel, const uint8_t* own, const uint8_t* wanted, int n) const {
    count_codes(g, own, n, kLevels, own_ + channel * kLevels);
    count_codes(g, wanted, n, kLevels, wanted_ + channel * kLevels);
  }

  /// Finds the map, when all pixels have been counted.
  template <class Group>
  MT_HD void match(Group& g) const {
    g.for_each(3, [=, this](int i) { rank(i * kLevels); });
    g.sync();
    const int32_t *own = own_, *wanted = wanted_, *first = first_;
    int32_t* map = map_;
    const float share = share_;
    for (int channel = 0; channel < 3 * kLevels; channel += kLevels)
      count_below(g, own + channel, wanted + channel, map + channel);
    g.sync();
    for (int channel = 0; channel < 3 * kLevels; channel += kLevels)
      g.for_each(kLevels, [=](int i) {
        const int at = channel + i;
        map[at] = level_of_rank(own[at], map[at], wanted + channel, first + channel);
      });
    g.sync();
    g.for_each(3 * kLevels, [=](int i) { map[i] = mix_exactly(i % kLevels, map[i], share); });
    g.sync();
  }

  /// [256]: the new level of each level of a channel.
  MT_HD const int32_t* map(int channel) const { return map_ + channel * kLevels; }

 private:
  /// Replaces the counts of a channel by ranks: the number of pixels with at most each level.
  MT_HD void rank(int channel) const {
    int32_t *own = own_ + channel, *wanted = wanted_ + channel, *first = first_ + channel;
    first[0] = 0;
    for (int v = 1; v < kLevels; ++v) {
      first[v] = wanted[v] ? v : first[v - 1];
      own[v] += own[v - 1];
      wanted[v] += wanted[v - 1];
    }
  }

  /// The level of a rank, in 32 bits and without branches, so that compilers vectorise the loop.
  /// @param rank  below 2^28: a picture has at most 16384 x 16384 pixels
  /// @param upper the first level with at least this rank
  /// @param ranks [256], ascending; the last is at least `rank`
  /// @param first [256]: for each level the first one with the same rank
  static MT_HD int32_t level_of_rank(int32_t rank, int32_t upper, const int32_t* ranks,
                                     const int32_t* first) {
    const int32_t below = upper > 0 ? upper - 1 : 0;
    const int32_t before = upper > 0 ? ranks[below] : 0;
    const int32_t lower = first[below], part = rank - before, whole = ranks[upper] - before;
    const int32_t fraction = fraction_of(upper - lower, part, whole > 0 ? whole : 1);
    return before > 0 ? lower + fraction : upper;  // else no lower level occurs
  }

  /// levels * part / whole, truncated. @param levels  0..255; 0 <= part <= whole < 2^28
  static MT_HD int32_t fraction_of(int32_t levels, int32_t part, int32_t whole) {
    // The quotient of floats is wrong by less than 1, which the remainder shows.
    const auto near = static_cast<int32_t>(static_cast<float>(levels) * static_cast<float>(part) /
                                           static_cast<float>(whole));
    const auto rest =
        static_cast<int32_t>(static_cast<uint32_t>(levels) * static_cast<uint32_t>(part) -
                             static_cast<uint32_t>(near) * static_cast<uint32_t>(whole));
    return near + (rest >= whole) - (rest < 0);
  }

  float share_;
  int32_t *own_, *wanted_;  ///< [3][256]: counts, then ranks
  int32_t* first_;          ///< [3][256]: the first level of the other picture with the same rank
  int32_t* map_;            ///< [3][256]
};

}  // namespace mt
