// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// An adaptive binary range coder (G. N. N. Martin, "Range encoding", 1979): each bit is coded with
/// the probability that a BitModel has learnt from the bits before it, at a cost of nearly
/// -log2(probability) bits. docs/mosaic-format.md specifies it.
///
/// Encoder and decoder have the same functions: the encoder writes the value that it is given, the
/// decoder returns the one that it reads. So a syntax is written once, for both.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mosaic/base/error.h"

namespace mosaic::stream {

inline constexpr int kProbabilityBits = 15;

/// The probability that the next bit is 0: the mean of two averages, one that follows fast and one
/// that is precise.
class BitModel {
 public:
  uint32_t zero() const { return (fast_ + slow_ + 1) / 2; }  ///< times 2^15, 1 to 2^15 - 1
  void update(bool bit) {
    const int32_t target = bit ? 0 : 1 << kProbabilityBits;
    fast_ = static_cast<uint16_t>(fast_ + (target - fast_) / (1 << kFast));
    slow_ = static_cast<uint16_t>(slow_ + (target - slow_) / (1 << kSlow));
  }

 private:
  static constexpr int kFast = 4, kSlow = 7;
  uint16_t fast_ = 1 << (kProbabilityBits - 1), slow_ = fast_;
};

class RangeEncoder {
 public:
  static constexpr bool kDecodes = false;

  /// @param out where bytes are appended; must outlive the encoder
  explicit RangeEncoder(std::vector<uint8_t>& out) : out_(out), start_(out.size()) {}

  bool bit(BitModel& model, bool value) {
    const uint32_t zero = (range_ >> kProbabilityBits) * model.zero();
    if (value) {
      low_ += zero;
      range_ -= zero;
    } else {
      range_ = zero;
    }
    model.update(value);
    normalise();
    return value;
  }

  /// `bits` bits of equal probability, the highest first. @param value below 2^bits
  uint32_t number(int bits, uint32_t value) {
    for (int i = bits - 1; i >= 0; --i) {
      range_ >>= 1;
      if (value >> i & 1) low_ += range_;
      normalise();
    }
    return value;
  }

  /// Completes the code. To be called once, last.
  void finish() {
    for (int i = 0; i < 5; ++i) shift();
    // After the end the decoder reads zeros, though only a few, so that it notices a truncated
    // code.
    for (int i = 0; i < kMostLeftOut && out_.size() > start_ && out_.back() == 0; ++i)
      out_.pop_back();
  }

 private:
  void normalise() {
    for (; range_ < 1u << 24; range_ <<= 8) shift();
  }
  /// Moves the highest byte out. As long as a carry could still change it, it is kept back, with
  /// the bytes 255 that follow it.
  void shift() {
    if (low_ < 0xff000000u || low_ >> 32) {
      const auto carry = static_cast<uint8_t>(low_ >> 32);
      if (!first_) out_.push_back(static_cast<uint8_t>(kept_ + carry));
      for (; full_ > 0; --full_) out_.push_back(static_cast<uint8_t>(0xff + carry));
      kept_ = static_cast<uint8_t>(low_ >> 24);
      first_ = false;
    } else {
      ++full_;
    }
    low_ = (low_ & 0x00ffffff) << 8;
  }

  static constexpr int kMostLeftOut = 4;
  std::vector<uint8_t>& out_;
  size_t start_;
  uint64_t low_ = 0;
  uint32_t range_ = UINT32_MAX;
  uint8_t kept_ = 0;
  bool first_ = true;  ///< nothing is kept back yet
  size_t full_ = 0;    ///< bytes 255 after the one that is kept back
};

class RangeDecoder {
 public:
  static constexpr bool kDecodes = true;

  explicit RangeDecoder(std::span<const uint8_t> code) : code_(code) {
    for (int i = 0; i < 4; ++i) value_ = value_ << 8 | byte();
  }

  /// Throws Error (kRead) if the code ends too early.
  bool bit(BitModel& model, bool = false) {
    const uint32_t zero = (range_ >> kProbabilityBits) * model.zero();
    const bool one = value_ >= zero;
    if (one) {
      value_ -= zero;
      range_ -= zero;
    } else {
      range_ = zero;
    }
    model.update(one);
    normalise();
    return one;
  }

  uint32_t number(int bits, uint32_t = 0) {
    uint32_t number = 0;
    for (int i = 0; i < bits; ++i) {
      range_ >>= 1;
      const bool one = value_ >= range_;
      if (one) value_ -= range_;
      number = number << 1 | uint32_t{one};
      normalise();
    }
    return number;
  }

 private:
  void normalise() {
    for (; range_ < 1u << 24; range_ <<= 8) value_ = value_ << 8 | byte();
  }
  uint32_t byte() {
    if (at_ < code_.size()) return code_[at_++];
    // The encoder leaves out up to 4 zeros at the end, and the decoder is 4 bytes ahead of it.
    if (++missing_ > kMostMissing) throw Error(Error::Kind::kRead, "it ends too early");
    return 0;
  }

  static constexpr int kMostMissing = 8;
  std::span<const uint8_t> code_;
  size_t at_ = 0;
  int missing_ = 0;
  uint32_t value_ = 0, range_ = UINT32_MAX;
};

}  // namespace mosaic::stream
