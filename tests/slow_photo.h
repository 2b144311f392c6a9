// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// A hostile photo that takes minutes to decode.
#pragma once

#include <cstdint>
#include <vector>

/// A progressive grey JPEG of 8000x8000 with 4000 scans of 6 bytes each. (ISO/IEC 10918-1:
/// start, a quantisation table of ones, a Huffman table with one code, the size, scans, end.)
inline std::vector<uint8_t> slow_photo() {
  std::vector<uint8_t> out = {0xff, 0xd8, 0xff, 0xdb, 0, 67, 0};
  const auto append = [&out](const std::vector<uint8_t>& bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  append(std::vector<uint8_t>(64, 1));
  append({0xff, 0xc4, 0, 20, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  append({0xff, 0xc2, 0, 11, 8, 8000 >> 8, 8000 & 255, 8000 >> 8, 8000 & 255, 1, 1, 0x11, 0});
  for (int scan = 0; scan < 4000; ++scan)
    append({0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  append({0xff, 0xd9});
  return out;
}
