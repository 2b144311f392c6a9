// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// The pictures that RAFT reads, and the flow that it writes. Index of each kernel: row, of all
/// pictures unless noted otherwise.
#pragma once

#include "kernels/group.h"
#include "kernels/kernel_list.h"
#include "kernels/network/layer.h"
#include "kernels/views.h"

namespace mt {

/// Pixels of a frame for each value of the coarse flow, in each dimension.
inline constexpr int kFlowCell = 8;
/// The largest component of a flow that is handed on, in coarse pixels; what is no number is 0.
inline constexpr float kMostFlow = 4096;

/// Flow as it is handed on.
static MT_HD inline float sane_flow(float v) {
  if (!(v > -kMostFlow)) return v <= -kMostFlow ? -kMostFlow : 0;
  return v < kMostFlow ? v : kMostFlow;
}

/// Writes a picture as values -1..1 into a layer, which may be larger: then the pixels at the right
/// and lower edge repeat. Index: row of the layer's picture.
struct NetworkInput {
  static constexpr KernelId kId = KernelId::kNetworkInput;
  static constexpr int kChannels = 3;  ///< R, G, B
  Planes from;
  Layer to;  ///< kChannels channels
  int32_t picture;

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const int64_t row = int64_t{index < from.height ? index : from.height - 1} * from.stride;
    const uint8_t *r = from.plane[0] + row, *gr = from.plane[1] + row, *b = from.plane[2] + row;
    float* out = to.at(picture * to.height + index);
    const int last = from.width - 1;
    g.for_each(to.width, [=](int x) {
      const int at = x < last ? x : last;
      out[kChannels * x] = static_cast<float>(r[at]) * (2 / 255.0f) - 1;
      out[kChannels * x + 1] = static_cast<float>(gr[at]) * (2 / 255.0f) - 1;
      out[kChannels * x + 2] = static_cast<float>(b[at]) * (2 / 255.0f) - 1;
    });
  }
};

/// Adds a change to the flow, or sets the flow, and writes it to where it is read.
struct MoveFlow {
  static constexpr KernelId kId = KernelId::kMoveFlow;
  const float* change;  ///< [rows][width][change_step], the first two; null: 0
  int32_t change_step;
  int32_t add;   ///< 0: the change is the new flow
  Layer flow;    ///< 2 channels
  Layer motion;  ///< among whose channels the flow is from `motion_channel` on
  int32_t motion_channel;
  float* coarse;  ///< [rows][width][2], see sane_flow()

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const MoveFlow k = *this;
    const float* from = k.change + int64_t{index} * k.flow.width * k.change_step;
    float *to = k.flow.at(index), *beside = k.motion.at(index) + k.motion_channel;
    float* out = k.coarse + int64_t{2} * index * k.flow.width;
    g.for_each(k.flow.width, 2, [=](int x, int c) {
      const float v = (k.add ? to[2 * x + c] : 0) + (k.change ? from[x * k.change_step + c] : 0);
      to[2 * x + c] = v;
      beside[x * k.motion.channels + c] = v;
      out[2 * x + c] = sane_flow(v);
    });
  }
};

/// Enlarges the flow by kFlowCell, in size and value, by bilinear interpolation between the first
/// and the last pixel. Index: row of `out`.
struct EnlargeFlow {
  static constexpr KernelId kId = KernelId::kEnlargeFlow;
  const float* coarse;    ///< MoveFlow::coarse
  int32_t width, height;  ///< of one picture of it, 2 or more
  float* out;             ///< [pictures * kFlowCell * height][kFlowCell * width][2]

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const int w = width, h = height, rows = h * kFlowCell, columns = w * kFlowCell;
    const Between y = between(index % rows, h);
    const float* upper = coarse + (int64_t{index / rows} * h + y.first) * w * 2;
    const float* lower = upper + 2 * w;
    float* to = out + int64_t{2} * index * columns;
    g.for_each(columns, 2, [=](int i, int c) {
      const Between x = between(i, w);
      const int at = 2 * x.first + c;
      const float above = upper[at] * (1 - x.fraction) + upper[at + 2] * x.fraction;
      const float below = lower[at] * (1 - x.fraction) + lower[at + 2] * x.fraction;
      to[2 * i + c] = kFlowCell * (above * (1 - y.fraction) + below * y.fraction);
    });
  }

 private:
  struct Between {
    int32_t first;   ///< 0..size - 2
    float fraction;  ///< 0..1
  };
  static MT_HD Between between(int i, int size) {
    const float scale = static_cast<float>(size - 1) / static_cast<float>(size * kFlowCell - 1);
    const float at = static_cast<float>(i) * scale;
    const auto cut = static_cast<int32_t>(at);
    const int32_t first = cut < size - 2 ? cut : size - 2;
    return {first, at - static_cast<float>(first)};
  }
};

}  // namespace mt
