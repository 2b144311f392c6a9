// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "mosaic/stream/range_coder.h"

namespace mosaic::stream {

/// A whole number that is often small: whether it is 0, its sign, and its magnitude as an
/// Exp-Golomb code, each bit with a model except the lower bits of large magnitudes.
class NumberModel {
 public:
  static constexpr int kMostBits = 17;

  /// @param zero  the model of whether the number is 0
  /// @param value |value| < 2^kMostBits; only the encoder needs it
  /// @return the number. The decoder throws Error (kRead) if it is too large
  template <class Coder>
  int32_t code(Coder& coder, BitModel& zero, int32_t value) {
    if (!coder.bit(zero, value != 0)) return 0;
    const bool negative = coder.bit(sign_, value < 0);
    const auto magnitude = static_cast<uint32_t>(value < 0 ? -value : value);
    int bits = 1;
    const int wanted = std::bit_width(magnitude);
    while (coder.bit(longer_[bits - 1], bits < wanted))
      if (++bits > kMostBits) throw Error(Error::Kind::kRead, "a number is too large");
    uint32_t decoded = 1;
    for (int i = bits - 2; i >= 0; --i) {
      const bool one = magnitude >> i & 1;
      const bool modelled = i == bits - 2;
      decoded = decoded << 1 |
                uint32_t{modelled ? coder.bit(second_[bits - 1], one) : coder.number(1, one) != 0};
    }
    return negative ? -static_cast<int32_t>(decoded) : static_cast<int32_t>(decoded);
  }

 private:
  BitModel sign_;
  std::array<BitModel, kMostBits + 1> longer_;  ///< whether there are more bits than so many
  std::array<BitModel, kMostBits + 1> second_;  ///< the bit after the highest one
};

}  // namespace mosaic::stream
