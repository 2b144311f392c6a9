// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Correlations between the features of two frames, at four scales, as RAFT looks them up (Teed and
/// Deng, ECCV 2020): those that are needed are computed when they are needed. That takes as long as
/// to compute all of them once and read some of them twelve times, and needs no memory that grows
/// with the square of the number of pixels.
#pragma once

#include "kernels/group.h"
#include "kernels/kernel_list.h"
#include "kernels/math/correlate.h"
#include "kernels/network/layer.h"

namespace mt {

inline constexpr int kFeatureLevels = 4;
inline constexpr int kLookUpRadius = 3;
inline constexpr int kLookUpSide = 2 * kLookUpRadius + 1;
/// Correlations that are found for each pixel.
inline constexpr int kLookUps = kFeatureLevels * kLookUpSide * kLookUpSide;

/// A feature map of a batch of pictures in which the pixels of a row lie side by side, with zeros
/// before and after each row: [pictures][height][kMapChannels][kEdge + width + kEdge].
struct FeatureLevel {
  static constexpr int kEdge = kPatch;
  float* data = nullptr;
  int32_t width = 0, height = 0;

  MT_HD int32_t pitch() const { return width + 2 * kEdge; }
  /// Pixel 0 of the first channel in a row; rows are counted through all pictures.
  MT_HD float* at(int64_t row) const { return data + row * kMapChannels * pitch() + kEdge; }
};

/// Arranges a feature map as a FeatureLevel. Index: row of all pictures.
struct SpreadFeatures {
  static constexpr KernelId kId = KernelId::kSpreadFeatures;
  Layer in;  ///< kMapChannels channels
  FeatureLevel out;

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const float* from = in.at(index);
    float* to = out.at(index);
    const int pitch = out.pitch();
    g.for_each(kMapChannels, out.width,
               [=](int c, int x) { to[c * pitch + x] = from[x * kMapChannels + c]; });
  }
};

/// Averages squares of four pixels; what is left over at the right and below is not used.
/// Index: row of all pictures of `out`.
struct HalveFeatures {
  static constexpr KernelId kId = KernelId::kHalveFeatures;
  FeatureLevel in, out;

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const int64_t first = int64_t{index / out.height} * in.height + 2 * (index % out.height);
    const float* upper = in.at(first);
    const float* lower = in.at(first + 1);
    float* to = out.at(index);
    const int pitch = in.pitch(), to_pitch = out.pitch();
    g.for_each(kMapChannels, out.width, [=](int c, int x) {
      const int at = c * pitch + 2 * x;
      to[c * to_pitch + x] = (upper[at] + upper[at + 1] + lower[at] + lower[at + 1]) * 0.25f;
    });
  }
};

/// For each pixel, correlations of its features with those of the other frame around the place
/// where the flow points to, between pixels by bilinear interpolation, 0 outside of the frame.
/// Index: (row of all pictures, run of kRun pixels), the latter changes fastest.
struct LookUp {
  static constexpr KernelId kId = KernelId::kLookUp;
  static constexpr int kRun = 16;
  static constexpr float kScale = 0.08838834764831845f;  ///< 1 / sqrt(kMapChannels)
  static constexpr int kShared = shared_block<CorrelationPatch>(kRun * kFeatureLevels) +
                                 shared_block<float>(kRun * kFeatureLevels * kPatchArea) +
                                 shared_block<float>(2 * kRun * kFeatureLevels);
  static_assert(kPatch == kLookUpSide + 1);  // values lie between its pixels
  Layer features;                            ///< of the frame that the flow starts from
  FeatureLevel level[kFeatureLevels];  ///< of the other frame, each half the size of the one before
  Layer flow;                          ///< 2 channels: to the right and down, pixels
  Layer out;                           ///< kLookUps channels are written: [level][column][row]

  MT_HD int runs() const { return (features.width + kRun - 1) / kRun; }

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    auto* patches = g.template shared<CorrelationPatch>(kRun * kFeatureLevels);
    float* correlations = g.template shared<float>(kRun * kFeatureLevels * kPatchArea);
    float* fractions = g.template shared<float>(2 * kRun * kFeatureLevels);
    const LookUp k = *this;
    const int row = index / runs(), first = index % runs() * kRun;
    const int picture = row / k.features.height, y = row % k.features.height;
    const int count = k.features.width - first < kRun ? k.features.width - first : kRun;
    const float* from = k.features.at(row) + int64_t{first} * kMapChannels;
    const float* flow_of = k.flow.at(row) + int64_t{2} * first;
    g.for_each(count * kFeatureLevels, [=](int i) {
      const int pixel = i / kFeatureLevels, l = i % kFeatureLevels;
      const FeatureLevel& to = k.level[l];
      const Place at_x = place(first + pixel, flow_of[2 * pixel], l, to.width);
      const Place at_y = place(y, flow_of[2 * pixel + 1], l, to.height);
      patches[i] = {from + pixel * kMapChannels, to.at(int64_t{picture} * to.height) + at_x.first,
                    to.pitch(), at_y.first, to.height};
      fractions[2 * i] = at_x.fraction;
      fractions[2 * i + 1] = at_y.fraction;
    });
    g.sync();
    correlate(g, patches, count * kFeatureLevels, correlations);
    g.sync();
    float* found = k.out.at(row) + int64_t{first} * k.out.channels;
    const int step = k.out.channels;
    g.for_each(count * kFeatureLevels, kLookUpSide * kLookUpSide, [=](int i, int j) {
      const float x = fractions[2 * i], v = fractions[2 * i + 1];
      const float* corner =
          correlations + i * kPatchArea + j % kLookUpSide * kPatch + j / kLookUpSide;
      const float upper = corner[0] * (1 - x) + corner[1] * x;
      const float lower = corner[kPatch] * (1 - x) + corner[kPatch + 1] * x;
      found[i / kFeatureLevels * step + i % kFeatureLevels * kLookUpSide * kLookUpSide + j] =
          (upper * (1 - v) + lower * v) * kScale;
    });
  }

 private:
  struct Place {
    int32_t first;   ///< the first pixel of the patch, -FeatureLevel::kEdge..size
    float fraction;  ///< how far the values lie beyond their pixels, below 1
  };

  /// Where the flow points to, along one axis of a level.
  static MT_HD Place place(int from, float flow, int level, int size) {
    const float at = (static_cast<float>(from) + flow) / static_cast<float>(1 << level);
    // Patches that lie outside altogether are moved to the edge, and so are those of NaN.
    const float above = at > -FeatureLevel::kEdge ? at : -FeatureLevel::kEdge;
    const auto most = static_cast<float>(size + FeatureLevel::kEdge);
    const float within = above < most ? above : most;
    const auto cut = static_cast<int32_t>(within);
    const int32_t whole = static_cast<float>(cut) > within ? cut - 1 : cut;
    const int32_t first = whole - kLookUpRadius;
    const int32_t not_before = first > -FeatureLevel::kEdge ? first : -FeatureLevel::kEdge;
    return {not_before < size ? not_before : size, within - static_cast<float>(whole)};
  }
};

}  // namespace mt
