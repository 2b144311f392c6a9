// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes how the kernels convert every colour, in order of r * 65536 + g * 256 + b: first L, a, b
// of each, then the grey of each, then R, G, B of each L, a, b in that order.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "kernels/math/lab.h"

int main() {
  constexpr int kColours = 1 << 24;
  const mt::Tables* tables = &mt::tables();
  std::vector<uint8_t> out;
  out.reserve(size_t{kColours} * 7);
  const auto append = [&](const mt::Triple& t) {
    for (int32_t v : t.v) out.push_back(static_cast<uint8_t>(v));
  };
  for (int c = 0; c < kColours; ++c) append(mt::rgb_to_lab(tables, c >> 16, c >> 8 & 255, c & 255));
  for (int c = 0; c < kColours; ++c)
    out.push_back(static_cast<uint8_t>(mt::rgb_to_gray(c >> 16, c >> 8 & 255, c & 255)));
  for (int c = 0; c < kColours; ++c) append(mt::lab_to_rgb(tables, c >> 16, c >> 8 & 255, c & 255));
  return std::fwrite(out.data(), 1, out.size(), stdout) == out.size() ? 0 : 1;
}
