// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// What the updates of RAFT do between their convolutions: a gated recurrent unit (Cho et al. 2014,
/// convolutional as in Ballas et al. 2016). Index of each kernel: row of all pictures.
#pragma once

#include "kernels/group.h"
#include "kernels/kernel_list.h"
#include "kernels/math/tanh.h"
#include "kernels/network/layer.h"

namespace mt {

inline constexpr int kHidden = 96;   ///< channels of the hidden state
inline constexpr int kContext = 64;  ///< channels of the context

/// Divides what the context encoder found into the first hidden state and the context.
struct SplitContext {
  static constexpr KernelId kId = KernelId::kSplitContext;
  Layer in;       ///< kHidden + kContext channels
  Layer hidden;   ///< kHidden channels
  Layer context;  ///< kContext channels

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const float* from = in.at(index);
    float *to = hidden.at(index), *rest = context.at(index);
    g.for_each(in.width, kHidden, [=](int x, int c) {
      to[x * kHidden + c] = tanh_of(from[x * (kHidden + kContext) + c]);
    });
    g.for_each(in.width, kContext, [=](int x, int c) {
      const float v = from[x * (kHidden + kContext) + kHidden + c];
      rest[x * kContext + c] = v > 0 ? v : 0;
    });
  }
};

/// The hidden state times the reset gate.
struct ResetHidden {
  static constexpr KernelId kId = KernelId::kResetHidden;
  Layer gates;   ///< 2 * kHidden channels: update gate, reset gate, both without the sigmoid
  Layer hidden;  ///< kHidden channels
  Layer out;     ///< kHidden channels

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const float *gate = gates.at(index) + kHidden, *from = hidden.at(index);
    float* to = out.at(index);
    g.for_each(hidden.width, kHidden, [=](int x, int c) {
      to[x * kHidden + c] = sigmoid_of(gate[2 * x * kHidden + c]) * from[x * kHidden + c];
    });
  }
};

/// The next hidden state: as much of the proposed one as the update gate lets in.
struct UpdateHidden {
  static constexpr KernelId kId = KernelId::kUpdateHidden;
  Layer gates;     ///< as in ResetHidden
  Layer proposed;  ///< kHidden channels, without the hyperbolic tangent
  Layer hidden;    ///< kHidden channels
  Layer out;       ///< kHidden channels; may be `hidden`

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const float *gate = gates.at(index), *next = proposed.at(index), *from = hidden.at(index);
    float* to = out.at(index);
    g.for_each(hidden.width, kHidden, [=](int x, int c) {
      const int i = x * kHidden + c;
      const float share = sigmoid_of(gate[2 * x * kHidden + c]);
      to[i] = (1 - share) * from[i] + share * tanh_of(next[i]);
    });
  }
};

}  // namespace mt
