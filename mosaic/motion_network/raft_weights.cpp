// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/motion_network/raft_weights.h"

#include <map>
#include <utility>

#include "kernels/math/convolve.h"
#include "mosaic/base/error.h"
#include "mosaic/base/read_file.h"
#include "mosaic/motion_network/safetensors.h"

namespace mosaic {
namespace {

constexpr const char* kHint =
    "scripts/raft_weights.py of the source code writes such a file from torchvision's raft_small; "
    "set flow-weights to it, or flow to block or identity";

/// A range of a convolution's input channels.
struct ChannelRange {
  int first, count;
};

/// A convolution of the file, whose names lack ".weight" and ".bias" here.
struct Source {
  std::string name;
  int outputs;
};

std::string shape_text(std::span<const int64_t> shape) {
  std::string text;
  for (const int64_t side : shape) text += (text.empty() ? "" : "x") + std::to_string(side);
  return text;
}

}  // namespace

/// Lists the tensors that are needed; then arranges them. Both go through the same description of
/// the network.
class RaftPacking {
 public:
  explicit RaftPacking(RaftWeights& weights) : weights_(weights) {}

  void describe() {
    weights_.features = encoder("feature_encoder.", 128);
    weights_.context = encoder("context_encoder.", 160);
    const std::string update = "update_block.", motion = update + "motion_encoder.";
    weights_.look_ups = add({{motion + "convcorr1.0", 96}}, 1, 196);
    weights_.flow_wide = add({{motion + "convflow1.0", 64}}, 7, 2);
    weights_.flow = add({{motion + "convflow2.0", 32}}, 3, 64);
    weights_.motion = add({{motion + "conv.0", 80}}, 3, 128);
    // The inputs are the hidden state, the context and the motion, in this order.
    const std::string unit = update + "recurrent_block.convgru1.";
    const std::vector<Source> gates{{unit + "convz", 96}, {unit + "convr", 96}};
    const std::vector<Source> proposed{{unit + "convq", 96}};
    const std::vector<ChannelRange> context{{96, 64}}, rest{{0, 96}, {160, 82}};
    weights_.gates_of_context = add(gates, 3, 242, context);
    weights_.gates = add(gates, 3, 242, rest);
    weights_.proposed_of_context = add(proposed, 3, 242, context);
    weights_.proposed = add(proposed, 3, 242, rest);
    weights_.head_wide = add({{update + "flow_head.conv1", 128}}, 3, 96);
    weights_.head = add({{update + "flow_head.conv2", 2}}, 3, 128);
  }

  const std::vector<std::string>& wanted() const { return wanted_; }

  void arrange(std::map<std::string, Tensor> tensors) {
    tensors_ = std::move(tensors);
    weights_.convolutions_.clear();
    describe();
  }

 private:
  EncoderConvolutions encoder(const std::string& name, int outputs) {
    EncoderConvolutions e;
    e.first = add({{name + "convnormrelu.0", 32}}, 7, 3);
    int inputs = 32;
    for (int i = 0; i < EncoderConvolutions::kBlocks; ++i) {
      constexpr int kChannels[] = {32, 64, 96};
      const int channels = kChannels[i / 2], narrow = channels / 4;
      const std::string block =
          name + "layer" + std::to_string(i / 2 + 1) + "." + std::to_string(i % 2) + ".";
      e.reduce[i] = add({{block + "convnormrelu1.0", narrow}}, 1, inputs);
      e.middle[i] = add({{block + "convnormrelu2.0", narrow}}, 3, narrow);
      e.expand[i] = add({{block + "convnormrelu3.0", channels}}, 1, narrow);
      e.bypass[i] = channels == inputs ? -1 : add({{block + "downsample.0", channels}}, 1, inputs);
      inputs = channels;
    }
    e.last = add({{name + "conv", outputs}}, 1, inputs);
    return e;
  }

  /// A convolution with the outputs of all sources.
  /// @param inputs of each source; @param ranges of them that it has; none: all
  int add(const std::vector<Source>& sources, int side, int inputs,
          std::vector<ChannelRange> ranges = {}) {
    if (ranges.empty()) ranges = {{0, inputs}};
    constexpr int kBlock = mt::kChannelBlock;
    int outputs = 0, channels = 0;
    for (const Source& source : sources) outputs += source.outputs;
    for (const ChannelRange& range : ranges) channels += range.count;
    const auto padded = static_cast<size_t>((outputs + kBlock - 1) / kBlock * kBlock);
    RaftWeights::ConvolutionEntry c{.side = side,
                                    .outputs = outputs,
                                    .inputs = static_cast<int>(ranges.size()),
                                    .channels = {},
                                    .weights = weights_.values_.size(),
                                    .bias = 0};
    for (size_t i = 0; i < ranges.size(); ++i) c.channels[i] = ranges[i].count;
    if (tensors_.empty()) {
      for (const Source& source : sources)
        for (const char* part : {".weight", ".bias"}) wanted_.push_back(source.name + part);
    } else {
      auto& values = weights_.values_;
      c.bias = c.weights + size_t(side) * side * channels * padded;
      values.resize(c.bias + padded);
      int first = 0;
      for (const Source& source : sources) {
        write(c, source, first, inputs, ranges);
        first += source.outputs;
      }
    }
    weights_.convolutions_.push_back(c);
    return static_cast<int>(weights_.convolutions_.size()) - 1;
  }

  const std::vector<float>& tensor(const std::string& name, const std::vector<int64_t>& shape) {
    const Tensor& tensor = tensors_.at(name);
    if (tensor.shape != shape)
      throw Error(Error::Kind::kFormat, "the tensor " + name + " is " + shape_text(tensor.shape) +
                                            ", not " + shape_text(shape) + " as in raft_small");
    return tensor.values;
  }

  /// Writes the weights and biases of a source. @param first output channel
  void write(const RaftWeights::ConvolutionEntry& c, const Source& source, int first, int inputs,
             const std::vector<ChannelRange>& ranges) {
    const auto& weights = tensor(source.name + ".weight", {source.outputs, inputs, c.side, c.side});
    const auto& bias = tensor(source.name + ".bias", {source.outputs});
    constexpr int kBlock = mt::kChannelBlock;
    const int taps = c.side * c.side;
    size_t in_block = 0;
    for (const ChannelRange& range : ranges) in_block += size_t(taps) * range.count * kBlock;
    float* values = weights_.values_.data();
    for (int o = 0; o < source.outputs; ++o) {
      const int output = first + o;
      float* to = values + c.weights + output / kBlock * in_block + output % kBlock;
      for (const ChannelRange& range : ranges)
        for (int tap = 0; tap < taps; ++tap)
          for (int i = 0; i < range.count; ++i, to += kBlock)
            *to = weights[(size_t(o) * inputs + range.first + i) * taps + tap];
      values[c.bias + output] = bias[o];
    }
  }

  RaftWeights& weights_;
  std::vector<std::string> wanted_;
  std::map<std::string, Tensor> tensors_;
};

RaftWeights::RaftWeights(std::span<const uint8_t> bytes) {
  RaftPacking packing(*this);
  packing.describe();
  packing.arrange(parse_safetensors(bytes, packing.wanted()));
}

RaftWeights load_raft_weights(const std::string& path) {
  if (path.empty())
    throw Error(Error::Kind::kSettings, "flow=raft needs the weights of the network (flow-weights)",
                kHint);
  try {
    return RaftWeights(read_file(path, kMaxSafetensorsBytes));
  } catch (const Error& error) {
    throw Error(error.kind(), "flow-weights \"" + path + "\": " + error.what(), kHint);
  }
}

}  // namespace mosaic
