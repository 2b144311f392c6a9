// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

namespace mt {

/// The brightness variants of a tile, as tables over the 8-bit value of a channel:
/// clamp(trunc(v * gain), 0..255) with one float32 multiplication, which is what mosaicraft's
/// `np.clip(tile.astype(np.float32) * gain, 0, 255).astype(np.uint8)` computes.
inline void fill_gain_tables(uint8_t brighter[256], uint8_t darker[256]) {
  for (int v = 0; v < 256; ++v) {
    const float up = static_cast<float>(v) * 1.10f;
    brighter[v] = static_cast<uint8_t>(up > 255.0f ? 255.0f : up);
    darker[v] = static_cast<uint8_t>(static_cast<float>(v) * 0.90f);
  }
}

}  // namespace mt
