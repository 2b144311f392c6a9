// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/kernel_list.h"
#include "cuda/math/blur.h"
#include "cuda/math/hsv.h"
#include "cuda/math/part_rows.h"

namespace mt {

/// Strengths of the grading.
struct GradeLook {
  float vibrance;         ///< 0 or more: how much weak colours gain
  float boost_cool;       ///< factor of the saturation of cool hues; 1: no change
  float boost_warm;       ///< the same of warm hues
  float contrast;         ///< factor around middle grey; 1: no change
  float skin_protection;  ///< 0..1: how far skin is exempt from vibrance and contrast
};

/// Grades colours: vibrance in Oklch, saturation in HSV, and contrast. Skin gets less vibrance and
/// contrast. Index: row of a part.
struct Grade {
  static constexpr KernelId kId = KernelId::kGrade;
  PartRows rows;
  const Tables* tables;
  GradeLook look;
  const float* chroma;  ///< [1]: ChromaPercentile::chroma
  Planes from;
  Planes to;
  BlurWeights weights;
  const uint16_t* skin_rows;  ///< the marks of skin, blurred by BlurRows, stride as `from`; may be
                              ///< null
  /// [height][to.stride]: skin mask, 0..kSkin; written if skin_rows is not null; otherwise
  /// skin_protection must be 0.
  uint16_t* skin;

  static constexpr int kSkin = 255 << kBlurredBits;

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const PartRow row = rows[index];
    uint8_t* const out[3] = {plane_row(to, 0, row), plane_row(to, 1, row), plane_row(to, 2, row)};
    uint16_t* mask = skin + static_cast<int64_t>(row.y) * to.stride + row.x;
    if (skin_rows) blur_skin(g, row, mask);
    g.sync();
    vibrance(g, row, mask, out);
    g.sync();
    saturate(g, row.width, out);
    g.sync();
    raise_contrast(g, row.width, mask, out);
  }

 private:
  template <class Group>
  MT_HD void blur_skin(Group& g, const PartRow& row, uint16_t* out) const {
    const BlurColumn column(skin_rows, from.stride, from.height, row.y);
    const BlurWeights w = weights;
    const int first = row.x;
    g.for_each(row.width, [=](int x) { out[x] = static_cast<uint16_t>(column(w, first + x)); });
  }

  /// Multiplies the chroma by 1 + amount (1 - chroma / most)^2, and compresses it above 0.85 x
  /// most, with `most` the picture's percentile.
  template <class Group>
  MT_HD void vibrance(Group& g, const PartRow& row, const uint16_t* mask,
                      uint8_t* const* out) const {
    const uint8_t *in_r = plane_row(from, 0, row), *in_g = plane_row(from, 1, row),
                  *in_b = plane_row(from, 2, row);
    uint8_t *out_r = out[0], *out_g = out[1], *out_b = out[2];
    const Tables* t = tables;
    const float amount = look.vibrance, protection = look.skin_protection / kSkin, most = *chroma;
    g.for_each(row.width, [=](int x) {
      const float* unit = t->linear_unit;
      const Oklab c = oklab_of_linear(unit[in_r[x]], unit[in_g[x]], unit[in_b[x]]);
      const float kept = static_cast<float>(mask[x]) * protection;
      const float is = sqrtf(c.a * c.a + c.b * c.b);
      const float share = is < most ? is / most : 1.0f;
      const float boost = 1.0f + amount * (1.0f - share) * (1.0f - share);
      const float wanted = is * (boost * (1.0f - kept) + kept);
      const float knee = most * 0.85f, over = wanted > knee ? wanted - knee : 0.0f;
      const float bent = (wanted < knee ? wanted : knee) + over / (1.0f + over / (most * 0.5f));
      const float ratio = bent / (is > 1e-6f ? is : 1e-6f);
      const Triple rgb = oklab_to_rgb(t, {c.lightness, c.a * ratio, c.b * ratio});
      out_r[x] = static_cast<uint8_t>(rgb.v[0]);
      out_g[x] = static_cast<uint8_t>(rgb.v[1]);
      out_b[x] = static_cast<uint8_t>(rgb.v[2]);
    });
  }

  /// Multiplies the saturation by a factor between that of warm hues (up to 25, in OpenCV's units
  /// of 2 degrees, and from 170) and that of cool ones (from 40).
  template <class Group>
  MT_HD void saturate(Group& g, int width, uint8_t* const* out) const {
    uint8_t *r = out[0], *gr = out[1], *b = out[2];
    const Tables* t = tables;
    const float warm = look.boost_warm, more = look.boost_cool - look.boost_warm;
    g.for_each(width, [=](int x) {
      const Triple hsv = rgb_to_hsv(t, r[x], gr[x], b[x]);
      const int32_t h = hsv.v[0];
      const float rise = (static_cast<float>(h) - 25.0f) / 15.0f;
      const float cool = rise < 0.0f ? 0.0f : rise > 1.0f ? 1.0f : rise;
      const float s = static_cast<float>(hsv.v[1]) * (warm + more * (h >= 170 ? 0.0f : cool));
      const Triple rgb = hsv_to_rgb(h, static_cast<int32_t>(s < 255.0f ? s : 255.0f), hsv.v[2]);
      r[x] = static_cast<uint8_t>(rgb.v[0]);
      gr[x] = static_cast<uint8_t>(rgb.v[1]);
      b[x] = static_cast<uint8_t>(rgb.v[2]);
    });
  }

  template <class Group>
  MT_HD void raise_contrast(Group& g, int width, const uint16_t* mask, uint8_t* const* out) const {
    const float factor = look.contrast, protection = look.skin_protection / kSkin;
    for (int i = 0; i < 3; ++i) {
      uint8_t* c = out[i];
      g.for_each(width, [=](int x) {
        const float kept = static_cast<float>(mask[x]) * protection, f = static_cast<float>(c[x]);
        const float v = (128.0f + (f - 128.0f) * factor) * (1.0f - kept) + f * kept;
        c[x] = static_cast<uint8_t>(static_cast<int32_t>(v < 0.0f     ? 0.0f
                                                         : v > 255.0f ? 255.0f
                                                                      : v));
      });
    }
  }
};

}  // namespace mt
