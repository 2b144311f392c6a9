// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Samples of a component of a video frame, of 8 bits or more, in rows of bytes. Pictures have 8
/// bits: deeper samples are rounded when they are read, and computed anew in their full depth when
/// they are written.
#pragma once

#include "kernels/math/lab.h"
#include "kernels/views.h"

namespace mt {

/// One row of a ColorMatrix.
struct ColorRow {
  int32_t m[3], offset;
  MT_HD int32_t sum(int32_t a, int32_t b, int32_t c) const {
    return m[0] * a + m[1] * b + m[2] * c + offset;
  }
};
static MT_HD inline ColorRow color_row(const ColorMatrix& c, int i) {
  return {{c.m[i][0], c.m[i][1], c.m[i][2]}, c.offset[i]};
}

/// The sums of R, of G and of B over the four pixels that share a sample.
struct SumOfFour {
  int32_t r, g, b;
};

/// Samples of one byte each, kStep bytes apart. The step is a compile-time constant, without which
/// loops over a row would not be vectorised.
template <int kStep>
struct ByteSamples {
  static MT_HD int32_t level(const uint8_t* row, int x) { return row[x * kStep]; }
  static MT_HD int32_t rgb_level(const uint8_t* row, int x) { return row[x * kStep]; }
  static MT_HD void set(uint8_t* row, int x, int32_t value) {
    row[x * kStep] = static_cast<uint8_t>(value);
  }
  static MT_HD void copy(const uint8_t* from, uint8_t* to, int x) {
    to[x * kStep] = from[x * kStep];
  }
  /// The opposite of rgb_level().
  static MT_HD int32_t of_rgb_level(int32_t level) { return level; }
  static MT_HD int32_t of_rgb(const ColorRow& row, int32_t r, int32_t g, int32_t b) {
    return clamp_int(row.sum(r, g, b) >> 16, 0, 255);
  }
  static MT_HD int32_t of_sum(const ColorRow& row, const SumOfFour& s) {
    return of_rgb(row, (s.r + 2) >> 2, (s.g + 2) >> 2, (s.b + 2) >> 2);
  }
};

/// Samples of 9 to 16 bits in two bytes, the lower byte first, kStep bytes apart. They are read and
/// written byte by byte, as rows may begin at any address.
template <int kStep>
struct WordSamples {
  int32_t depth;      ///< bits of a sample
  int32_t low_zeros;  ///< bits below them

  /// Of luma or chroma: in 8 bits black, grey and white have the same values without the bits
  /// below.
  MT_HD int32_t level(const uint8_t* row, int x) const {
    const int32_t half = 1 << (depth - 9);
    return clamp_int((value(row, x) + half) >> (depth - 8), 0, 255);
  }
  /// Of R, G or B: the largest value becomes 255. (255 v + 32895) >> 16 is v / 257, rounded.
  MT_HD int32_t rgb_level(const uint8_t* row, int x) const {
    const int32_t v = value(row, x), in_16_bits = v << (16 - depth) | v >> (2 * depth - 16);
    return (255 * in_16_bits + 32895) >> 16;
  }
  MT_HD void set(uint8_t* row, int x, int32_t sample) const {
    uint8_t* p = row + x * kStep;
    p[0] = static_cast<uint8_t>(sample << low_zeros);
    p[1] = static_cast<uint8_t>(sample << low_zeros >> 8);
  }
  static MT_HD void copy(const uint8_t* from, uint8_t* to, int x) {
    for (int i = 0; i < 2; ++i) to[x * kStep + i] = from[x * kStep + i];
  }
  MT_HD int32_t of_rgb_level(int32_t level) const { return level * 257 >> (16 - depth); }
  MT_HD int32_t of_rgb(const ColorRow& row, int32_t r, int32_t g, int32_t b) const {
    return rounded(row.sum(r, g, b), 24 - depth);
  }
  /// The mean is not rounded to 8 bits first.
  MT_HD int32_t of_sum(const ColorRow& row, const SumOfFour& s) const {
    return rounded(row.sum(s.r, s.g, s.b) + 3 * row.offset, 26 - depth);
  }

 private:
  MT_HD int32_t value(const uint8_t* row, int x) const {
    const uint8_t* p = row + x * kStep;
    return (p[0] | p[1] << 8) >> low_zeros & ((1 << depth) - 1);
  }
  /// The sum, whose offset was chosen for 8 bits, in the depth of the sample.
  MT_HD int32_t rounded(int32_t sum, int32_t shift) const {
    const int32_t offset_of_8_bits = 1 << (shift + depth - 9);
    return clamp_int((sum - offset_of_8_bits + (1 << (shift - 1))) >> shift, 0, (1 << depth) - 1);
  }
};

/// Calls f with the samples of the component: a step of 1 to 4 bytes for samples of 8 bits; of 2, 4
/// or 8 for deeper ones.
template <class F>
static MT_HD inline void with_samples(const Component& c, F f) {
  if (c.depth == 8) {
    if (c.step == 1) f(ByteSamples<1>{});
    if (c.step == 2) f(ByteSamples<2>{});
    if (c.step == 3) f(ByteSamples<3>{});
    if (c.step == 4) f(ByteSamples<4>{});
  } else {
    if (c.step == 2) f(WordSamples<2>{c.depth, c.low_zeros});
    if (c.step == 4) f(WordSamples<4>{c.depth, c.low_zeros});
    if (c.step == 8) f(WordSamples<8>{c.depth, c.low_zeros});
  }
}

}  // namespace mt
