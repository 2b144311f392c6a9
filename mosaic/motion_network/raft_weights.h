// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mosaic {

/// The convolutions of an encoder of RAFT's small model. Each of its six blocks has three, and the
/// first blocks at a new size have one more, for what bypasses them.
struct EncoderConvolutions {
  static constexpr int kBlocks = 6;
  int first, last;
  std::array<int, kBlocks> reduce, middle, expand;  ///< 1x1, 3x3, 1x1
  std::array<int, kBlocks> bypass;                  ///< 1x1; -1: none
};

/// The weights of RAFT's small model, arranged as mt::Convolution reads them.
class RaftWeights {
 public:
  /// The shape of a convolution, and where its weights are.
  struct ConvolutionEntry {
    int side;     ///< of the kernel
    int outputs;  ///< channels
    int inputs;
    std::array<int, 2> channels;  ///< of each input
    size_t weights, bias;         ///< where they begin in values()
  };

  /// @param bytes of a safetensors file with the names and shapes of torchvision's raft_small
  /// Throws Error (kFormat), whose text is the reason alone.
  explicit RaftWeights(std::span<const uint8_t> bytes);

  const std::vector<float>& values() const { return values_; }
  const ConvolutionEntry& at(int convolution) const { return convolutions_[convolution]; }

  EncoderConvolutions features, context;
  int look_ups, flow_wide, flow, motion;  ///< of the motion encoder
  /// Of the recurrent unit: both gates, and the proposed state; what they take from the context,
  /// which is the same in all updates, and the rest.
  int gates_of_context, gates, proposed_of_context, proposed;
  int head_wide, head;  ///< of the flow head

 private:
  friend class RaftPacking;
  std::vector<float> values_;
  std::vector<ConvolutionEntry> convolutions_;
};

/// Reads the weights from a file. Throws Error, which names the file and says how to make one.
RaftWeights load_raft_weights(const std::string& path);

}  // namespace mosaic
