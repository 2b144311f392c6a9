// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Tiles with their hue turned in Oklch, as mosaicraft's colour variants.
#pragma once

#include "cuda/cell_stats.h"
#include "cuda/kernel_list.h"
#include "cuda/oklab.h"

namespace mt {

/// Most turned copies of a tile.
inline constexpr int kMostHues = 12;

/// A rotation of the hue.
struct HueTurn {
  float cosine, sine;
  /// What R, G, B of a grey get, so that it falls on the side of its level that it falls on in
  /// double precision, where the matrices' last digits decide: `still`, and the rest as chroma
  /// fades.
  float still, moved[3];
};

/// The rotation by a whole turn's (i + 1) / (hues + 1); 0 <= i < hues <= kMostHues. On the host.
HueTurn hue_turn(int hues, int i);

/// How tiles come of photos: in variant v a tile is its photo augmented in way v % augmentations,
/// and then, where v / augmentations is not 0, turned by the one before that of `turns`.
struct TileVariants {
  int32_t augmentations = kVariants;  ///< 1 or kVariants
  int32_t hues = 0;                   ///< 0..kMostHues
  HueTurn turns[kMostHues] = {};

  MT_HD int32_t count() const { return augmentations * (1 + hues); }
  MT_HD Variant augmentation(int v) const { return static_cast<Variant>(v % augmentations); }
  /// Null for a variant that is not turned.
  MT_HD const HueTurn* turn(int v) const {
    return v < augmentations ? nullptr : turns + v / augmentations - 1;
  }
};
/// @param augment each photo in all kVariants; @param hues 0..kMostHues. On the host.
TileVariants tile_variants(bool augment, int hues);

/// A colour with its hue turned. Lightness stays; chroma fades towards white (to a half) and black
/// (by 0.3), and ends at 0.4.
static MT_HD inline Triple turn_hue(const Tables* t, const HueTurn& turn, int32_t r, int32_t g,
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
                {c.lightness, (c.a * turn.cosine - c.b * turn.sine) * ratio,
                 (c.a * turn.sine + c.b * turn.cosine) * ratio},
                rgb);
  const float grey = r == g && g == b ? 1.0f : 0.0f;
  Triple out;
  for (int i = 0; i < 3; ++i) {
    const float v = rgb[i] + grey * (turn.still + turn.moved[i] * fade);
    // To double precision the sRGB curve ends a hair below 1: nothing reaches 255.
    out.v[i] = static_cast<int32_t>(v < 0.0f ? 0.0f : v > 254.0f ? 254.0f : v);
  }
  return out;
}

/// Turns the hue of tiles in place. Index: tile.
struct TurnHue {
  static constexpr KernelId kId = KernelId::kTurnHue;
  const Tables* tables;
  HueTurn turn;
  uint8_t* tiles;  ///< [tiles][3: R, G, B][area]
  int32_t area;    ///< pixels of a tile

  template <class Group>
  MT_HD void operator()(Group& g, int tile) const {
    uint8_t* red = tiles + int64_t{3} * tile * area;
    uint8_t *green = red + area, *blue = green + area;
    const Tables* t = tables;
    const HueTurn by = turn;
    g.for_each(area, [=](int i) {
      const Triple rgb = turn_hue(t, by, red[i], green[i], blue[i]);
      red[i] = static_cast<uint8_t>(rgb.v[0]);
      green[i] = static_cast<uint8_t>(rgb.v[1]);
      blue[i] = static_cast<uint8_t>(rgb.v[2]);
    });
  }
};

}  // namespace mt
