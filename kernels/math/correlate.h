// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Correlations of a pixel's features with those of pixels of another picture: on a CPU in vectors
/// (cpu/vectors/vector_correlate.h), elsewhere by the plain loop below.
#pragma once

#include <cstdint>

#include "kernels/group.h"

namespace mt {

/// Channels of a feature map.
inline constexpr int kMapChannels = 128;
/// Pixels of a patch in each dimension.
inline constexpr int kPatch = 8;
inline constexpr int kPatchArea = kPatch * kPatch;

/// A pixel and the patch that it is compared with.
struct CorrelationPatch {
  const float* features;  ///< [kMapChannels]
  const float* others;    ///< the patch's first column in row 0: [height][kMapChannels][pitch]
  int32_t pitch;
  int32_t first, height;  ///< the patch's first row; rows there are. Those beyond give 0
};

/// Each result is one sum over the channels in their order, of products that are
/// rounded. @param out [count][kPatch][kPatch], in shared memory; to be read after a sync
template <PlainGroup Group>
static MT_HD void correlate(Group& g, const CorrelationPatch* patches, int count, float* out) {
  g.for_each(count * kPatch, kPatch, [=](int i, int x) {
    const CorrelationPatch& p = patches[i / kPatch];
    const int y = p.first + i % kPatch;
    float sum = 0;
    if (y >= 0 && y < p.height) {
      const float* row = p.others + int64_t{y} * kMapChannels * p.pitch + x;
      for (int c = 0; c < kMapChannels; ++c) sum += p.features[c] * row[c * p.pitch];
    }
    out[i * kPatch + x] = sum;
  });
}

}  // namespace mt
