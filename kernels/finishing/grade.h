// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/finishing/grade_colour.h"
#include "kernels/kernel_list.h"
#include "kernels/math/blur.h"
#include "kernels/math/part_rows.h"

namespace mt {

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
    boost_saturation(g, row.width, out);
    g.sync();
    boost_contrast(g, row.width, mask, out);
  }

 private:
  template <class Group>
  MT_HD void blur_skin(Group& g, const PartRow& row, uint16_t* out) const {
    const BlurColumn column(skin_rows, from.stride, from.height, row.y);
    const BlurWeights w = weights;
    const int first = row.x;
    g.for_each(row.width, [=](int x) { out[x] = static_cast<uint16_t>(column(w, first + x)); });
  }

  template <class Group>
  MT_HD void vibrance(Group& g, const PartRow& row, const uint16_t* mask,
                      uint8_t* const* out) const {
    const uint8_t *in_r = plane_row(from, 0, row), *in_g = plane_row(from, 1, row),
                  *in_b = plane_row(from, 2, row);
    uint8_t *out_r = out[0], *out_g = out[1], *out_b = out[2];
    const Tables* t = tables;
    const float amount = look.vibrance, protection = look.skin_protection / kSkin, most = *chroma;
    g.for_each(row.width, [=](int x) {
      const float kept = static_cast<float>(mask[x]) * protection;
      const Triple rgb = make_vibrant(t, amount, most, kept, in_r[x], in_g[x], in_b[x]);
      out_r[x] = static_cast<uint8_t>(rgb.v[0]);
      out_g[x] = static_cast<uint8_t>(rgb.v[1]);
      out_b[x] = static_cast<uint8_t>(rgb.v[2]);
    });
  }

  template <class Group>
  MT_HD void boost_saturation(Group& g, int width, uint8_t* const* out) const {
    uint8_t *r = out[0], *gr = out[1], *b = out[2];
    const Tables* t = tables;
    const GradeLook strengths = look;
    g.for_each(width, [=](int x) {
      const Triple rgb = saturate(t, strengths, r[x], gr[x], b[x]);
      r[x] = static_cast<uint8_t>(rgb.v[0]);
      gr[x] = static_cast<uint8_t>(rgb.v[1]);
      b[x] = static_cast<uint8_t>(rgb.v[2]);
    });
  }

  template <class Group>
  MT_HD void boost_contrast(Group& g, int width, const uint16_t* mask, uint8_t* const* out) const {
    const float factor = look.contrast, protection = look.skin_protection / kSkin;
    for (int i = 0; i < 3; ++i) {
      uint8_t* c = out[i];
      g.for_each(width, [=](int x) {
        const float kept = static_cast<float>(mask[x]) * protection;
        c[x] = static_cast<uint8_t>(raise_contrast(factor, kept, c[x]));
      });
    }
  }
};

}  // namespace mt
