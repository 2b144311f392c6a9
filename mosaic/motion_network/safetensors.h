// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Files of the format safetensors: a header in JSON, which names tensors, then their values.
/// https://github.com/huggingface/safetensors#format describes it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mosaic {

/// A tensor of 32-bit floating-point numbers.
struct Tensor {
  std::vector<int64_t> shape;
  std::vector<float> values;  ///< as many as the product of the shape; all are finite
};

inline constexpr int64_t kMaxSafetensorsBytes = 256 << 20;

/// Reads the tensors `wanted` from the bytes of a file. Of others only the header is checked.
/// Throws Error (kFormat), whose text is the reason alone, where the bytes are not such a file, a
/// tensor is missing, or holds something else than finite 32-bit numbers.
std::map<std::string, Tensor> parse_safetensors(std::span<const uint8_t> bytes,
                                                std::span<const std::string> wanted);

}  // namespace mosaic
