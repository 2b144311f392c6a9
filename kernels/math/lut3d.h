// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// A three-dimensional lookup table (3D LUT) of colours with tetrahedral interpolation, in whole
/// numbers. Rows of pixels are looked up on a CPU in vectors (cpu/vectors/vector_look_up.h),
/// elsewhere by the plain loop below.
#pragma once

#include <cstdint>

#include "kernels/group.h"

namespace mt {

/// Nodes along each of R, G, B: at the levels 0, 8 ... 256.
inline constexpr int kLutSide = 33;
inline constexpr int kLutNodes = kLutSide * kLutSide * kLutSide;
/// Values of a node: three colours and one more.
inline constexpr int kLutValues = 4;
/// Fractional bits of a value. Weights of nodes sum to 8: with levels up to 511 such sums fit 16
/// bits.
inline constexpr int kLutBits = 4;
inline constexpr int kLutWeightBits = 3;
/// Distances between neighbouring nodes along R, G and B.
inline constexpr int kLutStep[3] = {kLutSide * kLutSide, kLutSide, 1};

/// Pixels to look up, and where the results go. All arrays have as many elements as there are
/// pixels; results must not overlap with the pixels.
struct LutRow {
  const uint8_t* in[3];      ///< R, G, B
  uint8_t* out[kLutValues];  ///< rounded and limited to 0..255; the last one may be null
};

/// Looks up one colour. The cube between eight nodes is divided into six tetrahedra, by the order
/// of the three fractions; the colour is a mean of the four corners of the one that it is in.
/// @param lut [kLutNodes][kLutValues]
static MT_HD inline void look_up_colour(const uint16_t* lut, int r, int g, int b,
                                        uint8_t (&out)[kLutValues]) {
  // Fraction and step along each axis, in one number: sorting sorts by the fractions. The order of
  // equal fractions is of no consequence, as the corner between them has no weight.
  constexpr int kShift = 16, kMask = (1 << kShift) - 1, kFraction = (1 << kLutWeightBits) - 1;
  const int axis[3] = {(r & kFraction) << kShift | kLutStep[0],
                       (g & kFraction) << kShift | kLutStep[1],
                       (b & kFraction) << kShift | kLutStep[2]};
  const int high = axis[0] > axis[1] ? axis[0] : axis[1];
  const int low = axis[0] > axis[1] ? axis[1] : axis[0];
  const int first = high > axis[2] ? high : axis[2], rest = high > axis[2] ? axis[2] : high;
  const int second = rest > low ? rest : low, third = rest > low ? low : rest;
  const int f1 = first >> kShift, f2 = second >> kShift, f3 = third >> kShift;
  const uint16_t* node = lut + kLutValues * ((r >> kLutWeightBits) * kLutStep[0] +
                                             (g >> kLutWeightBits) * kLutStep[1] +
                                             (b >> kLutWeightBits) * kLutStep[2]);
  const uint16_t* node1 = node + kLutValues * (first & kMask);
  const uint16_t* node2 = node1 + kLutValues * (second & kMask);
  const uint16_t* node3 = node2 + kLutValues * (third & kMask);
  for (int i = 0; i < kLutValues; ++i) {
    const int sum = node[i] * ((1 << kLutWeightBits) - f1) + node1[i] * (f1 - f2) +
                    node2[i] * (f2 - f3) + node3[i] * f3;
    constexpr int kBits = kLutBits + kLutWeightBits;
    const int v = (sum + (1 << (kBits - 1))) >> kBits;
    out[i] = static_cast<uint8_t>(v < 255 ? v : 255);
  }
}

/// Looks up n pixels. @param lut [kLutNodes][kLutValues]
template <PlainGroup Group>
static MT_HD void look_up(Group& g, const uint16_t* lut, const LutRow& row, int n) {
  const LutRow at = row;
  g.for_each(n, [=](int x) {
    uint8_t out[kLutValues];
    look_up_colour(lut, at.in[0][x], at.in[1][x], at.in[2][x], out);
    for (int i = 0; i < 3; ++i) at.out[i][x] = out[i];
    if (at.out[3]) at.out[3][x] = out[3];
  });
}

}  // namespace mt
