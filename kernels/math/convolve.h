// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Convolution of a row of pixels: on a CPU in vectors (cpu/vectors/vector_convolve.h), elsewhere
/// by the plain loop below.
#pragma once

#include <cstdint>

#include "kernels/group.h"

namespace mt {

/// The channels of the results are divided into blocks of this many. The weights are stored block
/// by block: for each value that is read, the weights of the block's channels side by side.
inline constexpr int kChannelBlock = 16;
/// Blocks that are computed at once, at most.
inline constexpr int kRowBlocks = 2;
/// Inputs of a convolution, at most: channels that come from two layers.
inline constexpr int kInputs = 2;

/// What the row reads of one layer, for the first result: `rows` rows of `runs` runs of `length`
/// values. Of a layer whose channels are all used, the values of a row of taps are one run.
struct ConvolutionRuns {
  const float* data;
  int32_t rows, runs, length;
  int32_t run;   ///< distance from one run to the next, values
  int32_t step;  ///< distance from what one result reads to what the next one reads, values
  int64_t row;   ///< distance from one row to the next, values
};

/// A row of results.
struct ConvolutionRow {
  ConvolutionRuns in[kInputs];
  int32_t inputs;
  int32_t blocks;         ///< 1..kRowBlocks
  const float* weights;   ///< [blocks][block_weights]: for each value that is read, in order, a
                          ///< weight for each channel of the block
  int64_t block_weights;  ///< of a block: values that are read * kChannelBlock
  const float* start;     ///< what each sum begins with: [blocks * kChannelBlock] for all results,
  int32_t start_step;     ///< 0, or for each result, this many values apart
  int32_t relu;           ///< whether negative results become 0
  float* out;             ///< [count][out_step], of which blocks * kChannelBlock are written
  int32_t out_step;
  int32_t count;
};

/// Results that a worker computes at once in the plain form.
inline constexpr int kConvolvedTogether = 8;

/// Computes a row of results. Each is one sum in the order of the weights, from its start, of
/// products that are rounded; it does not depend on which results are computed together.
template <PlainGroup Group>
static MT_HD void convolve(Group& g, const ConvolutionRow& parameters) {
  const ConvolutionRow r = parameters;
  const int tiles = (r.count + kConvolvedTogether - 1) / kConvolvedTogether;
  g.for_each(tiles, r.blocks * kChannelBlock, [=](int tile, int channel) {
    const int first = tile * kConvolvedTogether;
    const int last = r.count - 1;
    float sum[kConvolvedTogether];
    int32_t at[kConvolvedTogether];  // results beyond the last one repeat it
    MT_UNROLL
    for (int i = 0; i < kConvolvedTogether; ++i) {
      at[i] = first + i < last ? first + i : last;
      sum[i] = r.start[static_cast<int64_t>(at[i]) * r.start_step + channel];
    }
    const float* weight =
        r.weights + channel / kChannelBlock * r.block_weights + channel % kChannelBlock;
    for (int s = 0; s < r.inputs; ++s) {
      const ConvolutionRuns& in = r.in[s];
      for (int y = 0; y < in.rows; ++y)
        for (int x = 0; x < in.runs; ++x) {
          const float* run = in.data + y * in.row + x * in.run;
          for (int k = 0; k < in.length; ++k, weight += kChannelBlock) {
            MT_UNROLL
            for (int i = 0; i < kConvolvedTogether; ++i)
              sum[i] += run[static_cast<int64_t>(at[i]) * in.step + k] * *weight;
          }
        }
    }
    MT_UNROLL
    for (int i = 0; i < kConvolvedTogether; ++i)
      if (first + i <= last)
        r.out[static_cast<int64_t>(first + i) * r.out_step + channel] =
            r.relu && !(sum[i] > 0) ? 0.0f : sum[i];
  });
}

}  // namespace mt
