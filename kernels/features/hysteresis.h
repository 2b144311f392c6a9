// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Hysteresis of Canny's edge detection: a weak edge pixel becomes an edge if it is connected to a
/// strong one through weak pixels, by sides or corners.
#pragma once

#include "kernels/features/cell_layout.h"
#include "kernels/features/edges.h"

namespace mt {

/// Working memory of Hysteresis, [height][words] each. The order of the lists depends on the timing
/// of the workers, the result does not.
struct HysteresisScratch {
  uint32_t* lists[2];  ///< words to process in this round and in the next
  uint32_t* values;  ///< in rounds, of the listed words: the new value, then the bits that are new
                     ///< in it; in sweep(), the new values of a row
  int32_t* listed;   ///< of each word: not 0 if on the next list; all 0 before and after
};

/// Extends edges within some rows, by one group of workers, in rounds. A round processes the words
/// next to bits that the previous round changed: first all are read, then all are written.
template <class Group>
class EdgeGrowth {
 public:
  MT_HD EdgeGrowth(Group& g, const EdgeBits& weak, const EdgeBits& edges, Span rows,
                   const HysteresisScratch& scratch)
      : g_(g),
        weak_(weak),
        edges_(edges),
        rows_(rows),
        scratch_(scratch),
        counts_(g.template shared<int32_t>(2)) {
    g.for_each(2, [to = counts_](int i) { to[i] = 0; });
    g.sync();
  }

  /// Extends edges row by row, first downwards, then upwards, which is cheap and finds most pixels.
  /// It misses those to which the way from a strong pixel leads up and then down again, or along
  /// one row through several words; from() finds these.
  MT_HD void sweep() {
    for (int y = rows_.begin; y < rows_.end; ++y) extend_row(y);
    for (int y = rows_.end - 2; y >= rows_.begin; --y) extend_row(y);
  }

  /// Extends edges from n rows, row(i) for 0 <= i < n, until nothing changes any more.
  template <class F>
  MT_HD void from(int n, F row) {
    g_.for_each(n, edges_.words, [=, this](int i, int w) {
      const int y = row(i);
      const uint32_t is = edges_.row(y)[w];
      if ((weak_.row(y)[w] & ~is) != 0 && extended(y, w) != is) list(0, y, w);
    });
    g_.sync();
    for (int now = 0; counts_[now] > 0; now = 1 - now) run_round(now, counts_[now]);
  }

 private:
  /// A row has at most 16384 pixels, 2^9 words.
  static constexpr int kWordBits = 9;
  static MT_HD int row_of(uint32_t at) { return static_cast<int>(at >> kWordBits); }
  static MT_HD int word_of(uint32_t at) { return static_cast<int>(at & ((1 << kWordBits) - 1)); }

  MT_HD int64_t offset(int y) const { return int64_t{y} * edges_.words; }

  /// Processes the n words on list `now`.
  MT_HD void run_round(int now, int n) {
    const uint32_t* at = scratch_.lists[now] + offset(rows_.begin);
    uint32_t* values = scratch_.values + offset(rows_.begin);
    g_.for_each(n, [=, this](int i) { values[i] = extended(row_of(at[i]), word_of(at[i])); });
    g_.sync();
    g_.for_each(n, [=, this](int i) {
      const int y = row_of(at[i]), w = word_of(at[i]);
      uint32_t& word = edges_.row(y)[w];
      const uint32_t value = values[i];
      values[i] = value ^ word;
      word = value;
      scratch_.listed[offset(y) + w] = 0;
    });
    g_.for_each(1, [=, to = counts_](int) { to[now] = 0; });
    g_.sync();
    g_.for_each(n, [=, this](int i) { spread(1 - now, row_of(at[i]), word_of(at[i]), values[i]); });
    g_.sync();
  }

  MT_HD void extend_row(int y) {
    const RowsAround rows = rows_around(y);
    uint32_t *values = scratch_.values + offset(y), *row = edges_.row(y);
    g_.for_each(edges_.words, [=](int w) { values[w] = rows.extended(w); });
    g_.sync();
    g_.for_each(edges_.words, [=](int w) { row[w] = values[w]; });
    g_.sync();
  }

  /// A row of words, and what may extend the edges in it.
  struct RowsAround {
    const uint32_t *weak, *above, *row, *below;

    /// The value of a word after extending the edges in it and in its neighbours.
    MT_HD uint32_t extended(int w) const {
      const uint32_t near = around(above + w) | around(row + w) | around(below + w);
      return fill(near & weak[w], weak[w]);
    }
  };
  /// In the first and the last row, the row itself stands in for the missing one, which adds
  /// nothing, as it is looked at anyway.
  MT_HD RowsAround rows_around(int y) const {
    return {weak_.row(y), edges_.row(y > rows_.begin ? y - 1 : y), edges_.row(y),
            edges_.row(y + 1 < rows_.end ? y + 1 : y)};
  }
  MT_HD uint32_t extended(int y, int w) const { return rows_around(y).extended(w); }

  /// The set bits of a word and those beside them, also beside bits of the words next to it: what
  /// these edges touch in the same row, in the row above and in the row below.
  static MT_HD uint32_t around(const uint32_t* word) {
    return word[0] | word[0] << 1 | word[0] >> 1 | word[-1] >> 31 | word[1] << 31;
  }

  /// All runs of ones in `within` that contain one of `seeds`, a subset of `within`: a flood fill
  /// in steps of 1, 2, 4 ... bits both ways (the parallel prefix of Kogge and Stone 1973).
  static MT_HD uint32_t fill(uint32_t seeds, uint32_t within) {
    uint32_t up = within, down = within;
    MT_UNROLL
    for (int bit = 0; bit < 5; ++bit) {
      const int step = 1 << bit;
      seeds |= (up & seeds << step) | (down & seeds >> step);
      up &= up << step;
      down &= down >> step;
    }
    return seeds;
  }

  /// Puts on list `to` the neighbouring words that the new bits of a word may change.
  MT_HD void spread(int to, int y, int w, uint32_t added) const {
    if (added == 0) return;
    touch(to, y, w - 1, added << 31);
    touch(to, y, w + 1, added >> 31);
    for (int row = y - 1; row <= y + 1; row += 2) {
      if (row < rows_.begin || row >= rows_.end) continue;
      touch(to, row, w - 1, added << 31);
      touch(to, row, w, added | added << 1 | added >> 1);
      touch(to, row, w + 1, added >> 31);
    }
  }
  MT_HD void touch(int to, int y, int w, uint32_t bits) const {
    if ((bits & weak_.row(y)[w] & ~edges_.row(y)[w]) == 0) return;
    if (g_.add(scratch_.listed[offset(y) + w], 1) == 0) list(to, y, w);
  }
  MT_HD void list(int to, int y, int w) const {
    const int32_t place = g_.add(counts_[to], 1);
    scratch_.lists[to][offset(rows_.begin) + place] = static_cast<uint32_t>(y << kWordBits | w);
  }

  Group& g_;
  const EdgeBits weak_, edges_;
  const Span rows_;
  const HysteresisScratch scratch_;
  int32_t* const counts_;  ///< [2]: number of words on each list
};

/// Launched twice: first within strips of kRows rows, index: strip. Then one group, index 0,
/// extends edges across the borders between strips and onwards.
struct Hysteresis {
  static constexpr KernelId kId = KernelId::kHysteresis;
  static constexpr int kRows = 32;
  static constexpr int kShared = shared_block<int32_t>(2);
  const int32_t* any;  ///< AnyChanged::any
  EdgeBits weak;       ///< ThinEdges::weak
  EdgeBits edges;      ///< ThinEdges::strong, extended
  int32_t height;      ///< of the picture
  int32_t across;      ///< 0: the first launch; else the second
  HysteresisScratch scratch;

  template <class Group>
  MT_HD void operator()(Group& g, int strip) const {
    if (!*any) return;
    const int first = strip * kRows, last = first + kRows < height ? first + kRows : height;
    const Span rows = across ? Span{0, height} : Span{first, last};
    EdgeGrowth<Group> growth(g, weak, edges, rows, scratch);
    if (across) {  // the rows above and below each border
      growth.from((height - 1) / kRows * 2, [](int i) { return (i / 2 + 1) * kRows - 1 + i % 2; });
    } else {
      growth.sweep();
      growth.from(last - first, [=](int i) { return first + i; });
    }
  }
};

}  // namespace mt
