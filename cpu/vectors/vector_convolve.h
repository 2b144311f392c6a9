// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// convolve() of kernels/math/convolve.h on a CPU, in vectors of the instruction set that the file
/// is compiled for: as many sums as registers can hold are computed together.
#pragma once

#include "cpu/vectors/serial_group.h"
#include "cpu/vectors/vectors.h"
#include "kernels/math/convolve.h"

namespace mt {
namespace {

/// Results first..first + kPixels - 1, of the channels of `kVectors` vectors.
/// @param vector the first of these vectors
template <int kVectors, int kPixels>
void convolve_tile(const ConvolutionRow& r, int vector, int first) {
  const hn::CappedTag<float, kChannelBlock> tag;
  using V = hn::Vec<decltype(tag)>;
  constexpr int kLanes = hn::MaxLanes(tag);
  const float* weights[kVectors];
  V sum[kVectors][kPixels];
  for (int v = 0; v < kVectors; ++v) {
    const int channel = (vector + v) * kLanes;
    weights[v] = r.weights + channel / kChannelBlock * r.block_weights + channel % kChannelBlock;
    for (int p = 0; p < kPixels; ++p)
      sum[v][p] = hn::LoadU(tag, r.start + int64_t{first + p} * r.start_step + channel);
  }
  for (int s = 0; s < r.inputs; ++s) {
    const ConvolutionRuns& in = r.in[s];
    const int length = in.length, step = in.step;
    for (int y = 0; y < in.rows; ++y)
      for (int x = 0; x < in.runs; ++x) {
        const float* run = in.data + y * in.row + int64_t{x} * in.run + int64_t{first} * step;
        for (int k = 0; k < length; ++k) {
          V weight[kVectors];
          for (int v = 0; v < kVectors; ++v)
            weight[v] = hn::Load(tag, weights[v] + int64_t{k} * kChannelBlock);
          for (int p = 0; p < kPixels; ++p) {
            const V value = hn::Set(tag, run[p * step + k]);
            for (int v = 0; v < kVectors; ++v)
              sum[v][p] = hn::Add(sum[v][p], hn::Mul(value, weight[v]));
          }
        }
        for (int v = 0; v < kVectors; ++v) weights[v] += int64_t{length} * kChannelBlock;
      }
  }
  for (int v = 0; v < kVectors; ++v)
    for (int p = 0; p < kPixels; ++p) {
      const V result =
          r.relu ? hn::IfThenElseZero(hn::Gt(sum[v][p], hn::Zero(tag)), sum[v][p]) : sum[v][p];
      hn::StoreU(result, tag, r.out + int64_t{first + p} * r.out_step + (vector + v) * kLanes);
    }
}

template <int kVectors>
void convolve_vectors(const ConvolutionRow& r, int vector) {
  // AVX-512 has 32 registers, not 16.
  constexpr int kPixels = hn::MaxLanes(hn::CappedTag<float, kChannelBlock>()) < 16 ? 6 : 12;
  int first = 0;
  for (; first + kPixels <= r.count; first += kPixels)
    convolve_tile<kVectors, kPixels>(r, vector, first);
  for (; first + 4 <= r.count; first += 4) convolve_tile<kVectors, 4>(r, vector, first);
  for (; first < r.count; ++first) convolve_tile<kVectors, 1>(r, vector, first);
}

void convolve(SerialGroup&, const ConvolutionRow& r) {
  const int vectors =
      r.blocks * (kChannelBlock / hn::MaxLanes(hn::CappedTag<float, kChannelBlock>()));
  int vector = 0;
  for (; vector + 2 <= vectors; vector += 2) convolve_vectors<2>(r, vector);
  if (vector < vectors) convolve_vectors<1>(r, vector);
}

}  // namespace
}  // namespace mt
