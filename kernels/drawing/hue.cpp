// SPDX-License-Identifier: LGPL-2.1-or-later
#include "kernels/drawing/hue.h"

#include <cmath>

namespace mt {
namespace {

/// The factor from the matrices' errors, found in double precision, to corrections in levels. It
/// makes these far greater than the rounding errors of single precision, but far less than a level.
constexpr double kLevels = 1e6;

}  // namespace

HueRotation hue_rotation(int hues, int i) {
  const double angle = 2 * M_PI * (i + 1) / (hues + 1), c = std::cos(angle), s = std::sin(angle);
  // The rows of Ottosson's matrix from l, m, s to Oklab should add up to 1, 0 and 0. The difference
  // is the error of a grey, relative to its lightness, before the rotation.
  const double lightness = 0.2104542553 + 0.7936177850 - 0.0040720468 - 1;
  const double a = 1.9779984951 - 2.4285922050 + 0.4505937099;
  const double b = 0.0259040371 + 0.7827717662 - 0.8086757660;
  const double rotated_a = a * c - b * s, rotated_b = a * s + b * c;
  // Back to l, m, s, which are then cubed: three times the relative error.
  const double l = 3 * (0.3963377774 * rotated_a + 0.2158037573 * rotated_b);
  const double m = 3 * (-0.1055613458 * rotated_a - 0.0638541728 * rotated_b);
  const double n = 3 * (-0.0894841775 * rotated_a - 1.2914855480 * rotated_b);
  const double moved[3] = {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * n,
                           -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * n,
                           -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * n};
  HueRotation rotation{static_cast<float>(c),
                       static_cast<float>(s),
                       static_cast<float>(kLevels * 3 * lightness),
                       {}};
  for (int k = 0; k < 3; ++k) rotation.chroma_offset[k] = static_cast<float>(kLevels * moved[k]);
  return rotation;
}

TileVariants tile_variants(bool augment, int hues) {
  TileVariants variants;
  variants.augmentations = augment ? kVariants : 1;
  variants.hues = hues;
  for (int i = 0; i < hues; ++i) variants.rotations[i] = hue_rotation(hues, i);
  return variants;
}

}  // namespace mt
