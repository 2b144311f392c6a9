// SPDX-License-Identifier: LGPL-2.1-or-later
// The steps of grading (docs/algorithm/drawing.md) for one colour, in double precision. Each ends
// with whole levels, truncated as in mosaicraft.
#pragma once

#include "kernels/finishing/grade_colour.h"
#include "tests/kernels/colours.h"

namespace test {

/// Their factors are exact in binary, so that products which are whole levels are so in any
/// precision.
inline constexpr mt::GradeLook kLooks[] = {{0.5f, 2.0f, 1.625f, 1.0625f, 0.75f},
                                           {0.0f, 1.0f, 1.0f, 1.0f, 0.0f},
                                           {1.25f, 0.75f, 1.25f, 0.875f, 1.0f}};

inline Colour truncated(Colour rgb) {
  for (double& v : rgb) v = std::floor(v);
  return rgb;
}

/// @param most  the chroma M; @param kept  how far the colour is exempt, 0..1
inline Colour vibrant(const Colour& rgb, double amount, double most, double kept) {
  Colour lab = oklab_of(rgb);
  const double chroma = std::hypot(lab[1], lab[2]);
  const double gain = 1 + amount * std::pow(1 - std::min(1.0, chroma / most), 2);
  const double wanted = chroma * (gain * (1 - kept) + kept), knee = 0.85 * most;
  const double over = wanted - knee;
  const double is = over > 0 ? knee + over / (1 + over / (most / 2)) : wanted;
  if (chroma > 0) {
    lab[1] *= is / chroma;
    lab[2] *= is / chroma;
  }
  return truncated(rgb_of_oklab(lab));
}

/// The factor of cool hues applies from 40 to 170, that of warm ones up to 25 and from 170.
inline Colour saturated(const Colour& rgb, double warm, double cool) {
  Colour hsv = hsv8_of(rgb);
  const double share = hsv[0] >= 170 ? 0 : std::clamp((hsv[0] - 25) / 15, 0.0, 1.0);
  hsv[1] = std::min(255.0, std::floor(hsv[1] * (warm + (cool - warm) * share)));
  return rgb_of_hsv8(hsv);
}

inline Colour contrasted(const Colour& rgb, double factor, double kept) {
  Colour out;
  for (int c = 0; c < 3; ++c)
    out[c] = std::clamp((128 + (rgb[c] - 128) * factor) * (1 - kept) + rgb[c] * kept, 0.0, 255.0);
  return truncated(out);
}

/// @param skin  0..1
inline Colour graded(const Colour& rgb, const mt::GradeLook& look, double most, double skin) {
  const double kept = skin * double{look.skin_protection};
  const Colour more = vibrant(rgb, look.vibrance, most, kept);
  return contrasted(saturated(more, look.boost_warm, look.boost_cool), look.contrast, kept);
}

/// Harmony: a and b of CIELAB move towards their means.
inline Colour harmonised(const Colour& rgb, double a, double b, double share) {
  const Colour lab = lab8_of(rgb);
  return rgb_of_lab8({lab[0], std::floor(lab[1] * (1 - share) + a * share),
                      std::floor(lab[2] * (1 - share) + b * share)});
}

}  // namespace test
