// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/finishing/grade.h"
#include "cuda/math/plane_row.h"

namespace mt {

/// Means over a graded picture.
struct GradeMeans {
  float a, b;    ///< 8-bit CIELAB
  int32_t skin;  ///< 1: at least a hundredth of the picture is skin
  int32_t reserved;
};

/// The means, from the sums of rows. Launched as one group, with index 0.
struct MeanGrade {
  static constexpr KernelId kId = KernelId::kMeanGrade;
  const int64_t* sums;  ///< [rows][Grade::kSums]: Grade::sums
  int32_t rows;
  int64_t pixels;     ///< of the picture
  GradeMeans* means;  ///< [1]: the averages of a and b over frames, updated; skin is this frame's
  float newest;       ///< share of this frame in the averages, see ChromaPercentile

  template <class Group>
  MT_HD void operator()(Group& g, int) const {
    const int64_t* in = sums;
    int64_t a = 0, b = 0, skin = 0;
    g.for_each(rows, [=, &a, &b, &skin](int y) {
      a += in[y * Grade::kSums];
      b += in[y * Grade::kSums + 1];
      skin += in[y * Grade::kSums + 2];
    });
    const int64_t all_a = g.sum(a), all_b = g.sum(b), all_skin = g.sum(skin), n = pixels;
    GradeMeans* out = means;
    const float share = newest, rest = 1.0f - newest;
    g.for_each(1, [=](int) {
      // Truncated to 1/256, which a float represents exactly.
      const float mean_a = static_cast<float>(all_a * 256 / n) / 256.0f;
      const float mean_b = static_cast<float>(all_b * 256 / n) / 256.0f;
      *out = {mean_a * share + out->a * rest, mean_b * share + out->b * rest,
              all_skin * 100 >= n * Grade::kSkin, 0};
    });
  }
};

/// Moves all colours towards their mean in CIELAB. Index: row.
struct Harmony {
  static constexpr KernelId kId = KernelId::kHarmony;
  const Tables* tables;
  const GradeMeans* means;
  float strength;  ///< 0..1
  Planes from;
  Planes to;

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    const uint8_t *r = plane_row(from, 0, y), *gr = plane_row(from, 1, y),
                  *b = plane_row(from, 2, y);
    uint8_t *out_r = plane_row(to, 0, y), *out_g = plane_row(to, 1, y),
            *out_b = plane_row(to, 2, y);
    const Tables* t = tables;
    const float keep = 1.0f - strength, add_a = means->a * strength, add_b = means->b * strength;
    g.for_each(from.width, [=](int x) {
      const Triple lab = rgb_to_lab(t, r[x], gr[x], b[x]);
      const Triple rgb =
          lab_to_rgb(t, lab.v[0], towards(lab.v[1], keep, add_a), towards(lab.v[2], keep, add_b));
      out_r[x] = static_cast<uint8_t>(rgb.v[0]);
      out_g[x] = static_cast<uint8_t>(rgb.v[1]);
      out_b[x] = static_cast<uint8_t>(rgb.v[2]);
    });
  }

 private:
  static MT_HD int32_t towards(int32_t v, float keep, float add) {
    const float mixed = static_cast<float>(v) * keep + add;
    return static_cast<int32_t>(mixed < 255.0f ? mixed : 255.0f);
  }
};

}  // namespace mt
