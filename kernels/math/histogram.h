// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Histograms of codes of one byte: on a CPU in vectors (cpu/vectors/vector_histogram.h), elsewhere
/// by the plain loops below.
#pragma once

#include "kernels/group.h"

namespace mt {

/// Counts how often each code below `bins` occurs.
/// @param counts [bins], in shared memory: added to
template <PlainGroup Group>
static MT_HD void count_codes(Group& g, const uint8_t* codes, int n, int bins, int32_t* counts) {
  g.for_each(n, [=, &g](int i) {
    if (codes[i] < bins) g.add(counts[codes[i]], 1);
  });
}

/// Sums up the weights of each code below `bins`.
/// @param weights [n]: 0 or more, with a sum below 2^31
/// @param sums    [bins], in shared memory: added to
template <PlainGroup Group>
static MT_HD void sum_by_code(Group& g, const uint8_t* codes, const int32_t* weights, int n,
                              int bins, int64_t* sums) {
  g.for_each(n, [=, &g](int i) {
    if (codes[i] < bins) g.add(sums[codes[i]], int64_t{weights[i]});
  });
}

/// A histogram in shared memory, all of whose bins are 0.
template <class T, class Group>
static MT_HD T* empty_histogram(Group& g, int bins) {
  T* histogram = g.template shared<T>(bins);
  g.for_each(bins, [=](int i) { histogram[i] = 0; });
  g.sync();
  return histogram;
}

}  // namespace mt
