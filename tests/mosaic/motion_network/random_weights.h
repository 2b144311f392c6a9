// SPDX-License-Identifier: LGPL-2.1-or-later
// Random weights of RAFT's small model, as a file.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "mosaic/motion_network/safetensors.h"

namespace test {

/// A file of the format safetensors. @param values of all tensors
inline std::vector<uint8_t> safetensors_file(const std::string& header,
                                             const std::vector<float>& values) {
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<uint8_t>(header.size() >> (8 * i)));
  bytes.insert(bytes.end(), header.begin(), header.end());
  for (const float value : values)
    for (int i = 0; i < 4; ++i)
      bytes.push_back(static_cast<uint8_t>(std::bit_cast<uint32_t>(value) >> (8 * i)));
  return bytes;
}

/// The tensors of raft_small with random values. Flow that is estimated with them is a few pixels
/// and means nothing.
class RandomWeights {
 public:
  explicit RandomWeights(unsigned seed) : random_(seed) {
    encoder("feature_encoder.", 128);
    encoder("context_encoder.", 160);
    const std::string motion = "update_block.motion_encoder.";
    add(motion + "convcorr1.0", 96, 196, 1);
    add(motion + "convflow1.0", 64, 2, 7);
    add(motion + "convflow2.0", 32, 64, 3);
    add(motion + "conv.0", 80, 128, 3);
    for (const char* gate : {"z", "r", "q"})
      add(std::string("update_block.recurrent_block.convgru1.conv") + gate, 96, 242, 3);
    add("update_block.flow_head.conv1", 128, 96, 3);
    add("update_block.flow_head.conv2", 2, 128, 3, 0.1f);
  }

  const mosaic::Tensor& tensor(const std::string& name) const { return tensors_.at(name); }
  void change_shape(const std::string& name, const std::vector<int64_t>& shape) {
    tensors_.at(name).shape = shape;
  }
  /// Sets all values of a convolution to 0.
  void clear(const std::string& name) {
    for (const char* part : {".weight", ".bias"})
      for (float& value : tensors_.at(name + part).values) value = 0;
  }
  std::vector<float>& values(const std::string& name) { return tensors_.at(name).values; }

  std::vector<uint8_t> bytes() const {
    std::string header;
    std::vector<float> values;
    for (const auto& [name, tensor] : tensors_) {
      std::string shape;
      for (const int64_t side : tensor.shape)
        shape += (shape.empty() ? "" : ",") + std::to_string(side);
      const size_t begin = 4 * values.size();
      values.insert(values.end(), tensor.values.begin(), tensor.values.end());
      header += (header.empty() ? "{\"" : ",\"") + name + "\":{\"dtype\":\"F32\",\"shape\":[" +
                shape + "],\"data_offsets\":[" + std::to_string(begin) + "," +
                std::to_string(4 * values.size()) + "]}";
    }
    return safetensors_file(header + "}", values);
  }

 private:
  void encoder(const std::string& name, int outputs) {
    add(name + "convnormrelu.0", 32, 3, 7);
    int inputs = 32;
    for (int i = 0; i < 6; ++i) {
      const int channels = 32 * (i / 2 + 1);
      const std::string block =
          name + "layer" + std::to_string(i / 2 + 1) + "." + std::to_string(i % 2) + ".";
      add(block + "convnormrelu1.0", channels / 4, inputs, 1);
      add(block + "convnormrelu2.0", channels / 4, channels / 4, 3);
      add(block + "convnormrelu3.0", channels, channels / 4, 1);
      if (channels != inputs) add(block + "downsample.0", channels, inputs, 1);
      inputs = channels;
    }
    add(name + "conv", outputs, inputs, 1);
  }

  void add(const std::string& name, int outputs, int inputs, int side, float factor = 1) {
    const auto each = static_cast<size_t>(inputs) * side * side;
    const float most = factor * std::sqrt(6.0f / static_cast<float>(each));
    tensors_[name + ".weight"] = {{outputs, inputs, side, side}, uniform(outputs * each, most)};
    tensors_[name + ".bias"] = {{outputs}, uniform(outputs, 0.1f)};
  }

  /// The same numbers with every C++ library.
  std::vector<float> uniform(size_t n, float most) {
    std::vector<float> values(n);
    for (float& v : values)
      v = most * (static_cast<float>(random_() >> 8) * (1.0f / (1 << 23)) - 1);
    return values;
  }

  std::mt19937 random_;
  std::map<std::string, mosaic::Tensor> tensors_;
};

}  // namespace test
