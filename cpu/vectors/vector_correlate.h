// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// correlate() of kernels/math/correlate.h on a CPU, in vectors of the instruction set that the
/// file is compiled for: a vector of columns, and several rows together, because each sum waits for
/// its last addition.
#pragma once

#include "cpu/vectors/serial_group.h"
#include "cpu/vectors/vectors.h"
#include "kernels/math/correlate.h"

namespace mt {
namespace {

void correlate(SerialGroup&, const CorrelationPatch* patches, int count, float* out) {
  const hn::CappedTag<float, kPatch> tag;
  using V = hn::Vec<decltype(tag)>;
  constexpr int kLanes = hn::MaxLanes(tag), kVectors = kPatch / kLanes;
  constexpr int kRows = kPatch / kVectors;  // together
  for (int i = 0; i < count; ++i) {
    const CorrelationPatch& p = patches[i];
    for (int first = 0; first < kPatch; first += kRows) {
      const float* rows[kRows];
      bool inside[kRows];
      V sum[kRows][kVectors];
      for (int r = 0; r < kRows; ++r) {
        const int y = p.first + first + r;
        inside[r] = y >= 0 && y < p.height;
        rows[r] = p.others + (inside[r] ? int64_t{y} * kMapChannels * p.pitch : 0);
        for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(tag);
      }
      for (int c = 0; c < kMapChannels; ++c) {
        const V feature = hn::Set(tag, p.features[c]);
        for (int r = 0; r < kRows; ++r)
          for (int v = 0; v < kVectors; ++v)
            sum[r][v] = hn::Add(
                sum[r][v],
                hn::Mul(feature, hn::LoadU(tag, rows[r] + int64_t{c} * p.pitch + v * kLanes)));
      }
      for (int r = 0; r < kRows; ++r)
        for (int v = 0; v < kVectors; ++v)
          hn::StoreU(inside[r] ? sum[r][v] : hn::Zero(tag), tag,
                     out + i * kPatchArea + (first + r) * kPatch + v * kLanes);
    }
  }
}

}  // namespace
}  // namespace mt
