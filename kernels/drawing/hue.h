// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Tiles with their hue rotated in Oklch, as mosaicraft's colour variants.
#pragma once

#include "kernels/features/cell_stats.h"
#include "kernels/kernel_list.h"
#include "kernels/math/oklab.h"

namespace mt {

/// The most rotated copies of a tile.
inline constexpr int kMaxHues = 12;

/// A rotation of the hue.
struct HueRotation {
  float cosine, sine;
  /// Corrections added to R, G, B of grey pixels. A grey comes out so close to a whole level that
  /// the rounding of the Oklab matrices decides which level it is truncated to; the corrections
  /// make that the level that double precision gives. `offset` is added to every channel;
  /// chroma_offset[i], times the factor of the chroma, to channel i.
  float offset, chroma_offset[3];
};

/// The rotation by (i + 1) / (hues + 1) of a full turn; 0 <= i < hues <= kMaxHues. On the host.
HueRotation hue_rotation(int hues, int i);

/// How tiles are made from photos. Variant v of a photo has augmentation v % augmentations; with
/// h = v / augmentations > 0 its hue is then rotated by rotations[h - 1].
struct TileVariants {
  int32_t augmentations = kVariants;  ///< 1 or kVariants
  int32_t hues = 0;                   ///< 0..kMaxHues
  HueRotation rotations[kMaxHues] = {};

  MT_HD int32_t count() const { return augmentations * (1 + hues); }
  MT_HD Variant augmentation(int v) const { return static_cast<Variant>(v % augmentations); }
  /// Null for a variant whose hue is not rotated.
  MT_HD const HueRotation* rotation(int v) const {
    return v < augmentations ? nullptr : rotations + v / augmentations - 1;
  }
};
/// @param augment  whether each photo is used in all kVariants augmentations
/// @param hues     number of rotations, 0..kMaxHues
TileVariants tile_variants(bool augment, int hues);

/// Rotates the hue of a colour. Lightness is kept; chroma is reduced near white (to a half) and
/// near black (to 0.7), and is at most 0.4.
static MT_HD inline Triple rotate_hue(const Tables* t, const HueRotation& by, int32_t r, int32_t g,
                                      int32_t b) {
  const float* unit = t->linear_unit;
  const Oklab c = oklab_of_linear(unit[r], unit[g], unit[b]);
  const float high = (c.lightness - 0.85f) / 0.15f, low = (0.25f - c.lightness) / 0.25f;
  const float light = high < 0.0f ? 0.0f : high > 1.0f ? 1.0f : high;
  const float dark = low < 0.0f ? 0.0f : low > 1.0f ? 1.0f : low;
  const float fade = (1.0f - light * 0.5f) * (1.0f - dark * 0.3f);
  const float chroma = sqrtf(c.a * c.a + c.b * c.b);
  const float ratio = chroma * fade > 0.4f ? 0.4f / chroma : fade;
  float rgb[3];
  oklab_to_srgb(t,
                {c.lightness, (c.a * by.cosine - c.b * by.sine) * ratio,
                 (c.a * by.sine + c.b * by.cosine) * ratio},
                rgb);
  const float grey = r == g && g == b ? 1.0f : 0.0f;
  Triple out;
  for (int i = 0; i < 3; ++i) {
    const float v = rgb[i] + grey * (by.offset + by.chroma_offset[i] * fade);
    // In double precision the sRGB curve ends slightly below 1, so that nothing reaches 255.
    out.v[i] = static_cast<int32_t>(v < 0.0f ? 0.0f : v > 254.0f ? 254.0f : v);
  }
  return out;
}

/// Rotates the hue of n pixels in place.
template <class Group>
static MT_HD void rotate_hues(Group& g, const Tables* t, HueRotation by, uint8_t* red,
                              uint8_t* green, uint8_t* blue, int n) {
  g.for_each(n, [=](int i) {
    const Triple rgb = rotate_hue(t, by, red[i], green[i], blue[i]);
    red[i] = static_cast<uint8_t>(rgb.v[0]);
    green[i] = static_cast<uint8_t>(rgb.v[1]);
    blue[i] = static_cast<uint8_t>(rgb.v[2]);
  });
}

/// Rotates the hue of tiles in place. Index: tile.
struct RotateHue {
  static constexpr KernelId kId = KernelId::kRotateHue;
  const Tables* tables;
  HueRotation rotation;
  uint8_t* tiles;  ///< [tiles][3: R, G, B][area]
  int32_t area;    ///< pixels of a tile

  template <class Group>
  MT_HD void operator()(Group& g, int tile) const {
    uint8_t* red = tiles + int64_t{3} * tile * area;
    rotate_hues(g, tables, rotation, red, red + area, red + 2 * area, area);
  }
};

}  // namespace mt
