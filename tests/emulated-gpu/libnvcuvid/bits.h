// SPDX-License-Identifier: LGPL-2.1-or-later
/// The bits of NAL units, in the codes that H.264 and HEVC share.
#pragma once

#include <cstddef>
#include <string>

namespace emulated_nvdec {

class BitWriter {
 public:
  void bits(unsigned value, int count) {
    for (int i = count - 1; i >= 0; --i) bit((value >> i) & 1);
  }
  void flag(int value) { bit(value != 0); }
  /// An Exp-Golomb code, ue(v).
  void ue(unsigned value) {
    int length = 0;
    while ((value + 1) >> (length + 1)) ++length;
    bits(0, length);
    bits(value + 1, length + 1);
  }
  /// A signed Exp-Golomb code, se(v).
  void se(int value) { ue(static_cast<unsigned>(value > 0 ? 2 * value - 1 : -2 * value)); }

  /// The NAL unit with its start code, trailing bits and emulation prevention bytes.
  std::string nal_unit(const std::string& header) {
    bit(1);
    while (used_ != 0) bit(0);
    std::string unit = std::string{'\0', '\0', '\0', '\1'} + header;
    int zeros = 0;
    for (const char byte : bytes_) {
      if (zeros >= 2 && static_cast<unsigned char>(byte) <= 3) {
        unit += '\3';
        zeros = 0;
      }
      unit += byte;
      zeros = byte == 0 ? zeros + 1 : 0;
    }
    return unit;
  }

 private:
  void bit(unsigned value) {
    if (used_ == 0) bytes_ += '\0';
    bytes_.back() =
        static_cast<char>(static_cast<unsigned char>(bytes_.back()) | value << (7 - used_));
    used_ = (used_ + 1) % 8;
  }

  std::string bytes_;
  int used_ = 0;  ///< bits of the last byte; 0: all
};

/// Reads the first codes of a slice, which are too short for emulation prevention bytes.
class BitReader {
 public:
  /// @param slice   begins with a start code or with the header of the NAL unit
  /// @param header  bytes of that header, which are skipped
  BitReader(const unsigned char* slice, const unsigned char* end, std::size_t header) {
    while (slice < end && *slice == 0) ++slice;
    if (slice < end && *slice == 1) ++slice;
    const auto left = static_cast<std::size_t>(slice < end ? end - slice : 0);
    if (left < header) return;
    next_ = slice + header;
    total_ = (left - header) * 8;
  }
  /// 1 after the end.
  unsigned bit() {
    const unsigned value = at_ < total_ ? (next_[at_ / 8] >> (7 - at_ % 8)) & 1u : 1u;
    ++at_;
    return value;
  }
  unsigned ue() {
    int zeros = 0;
    while (!bit()) ++zeros;
    unsigned value = 1;
    for (int i = 0; i < zeros; ++i) value = value << 1 | bit();
    return value - 1;
  }

 private:
  const unsigned char* next_ = nullptr;
  std::size_t total_ = 0, at_ = 0;
};

}  // namespace emulated_nvdec
