// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/finishing/grade.h"
#include "kernels/math/part_rows.h"

namespace mt {

/// Means over a graded picture.
struct GradeMeans {
  float a, b;    ///< 8-bit CIELAB
  int32_t skin;  ///< 1: at least a hundredth of the picture is skin
  int32_t reserved;
};

/// Moves colours towards the means by a share of the distance, 0..1.
struct Towards {
  float keep, add_a, add_b;

  MT_HD Towards(const GradeMeans& means, float share)
      : keep(1.0f - share), add_a(means.a * share), add_b(means.b * share) {}

  MT_HD Triple operator()(const Tables* t, const Triple& rgb) const {
    const Triple lab = rgb_to_lab(t, rgb.v[0], rgb.v[1], rgb.v[2]);
    return lab_to_rgb(t, lab.v[0], mix(lab.v[1], add_a), mix(lab.v[2], add_b));
  }

 private:
  MT_HD int32_t mix(int32_t v, float add) const {
    const float mixed = static_cast<float>(v) * keep + add;
    return static_cast<int32_t>(mixed < 255.0f ? mixed : 255.0f);
  }
};

/// Sums over rows of a graded picture. Index: row.
struct GradeSums {
  static constexpr KernelId kId = KernelId::kGradeSums;
  static constexpr int kSums = 3;
  const Tables* tables;
  Planes from;
  const uint16_t* skin;  ///< Grade::skin; null: its sum is 0
  int64_t* sums;         ///< [rows][kSums], written: sums of a, b (8-bit CIELAB) and skin

  template <class Group>
  MT_HD void operator()(Group& g, int y) const {
    const uint8_t *r = plane_row(from, 0, y), *gr = plane_row(from, 1, y),
                  *b = plane_row(from, 2, y);
    const uint16_t* mask = skin ? skin + static_cast<int64_t>(y) * from.stride : nullptr;
    const Tables* t = tables;
    int32_t sum_a = 0, sum_b = 0, sum_skin = 0;  // 16384 x 65280 < 2^31
    g.for_each(from.width, [=, &sum_a, &sum_b](int x) {
      const Triple lab = rgb_to_lab(t, r[x], gr[x], b[x]);
      sum_a += lab.v[1];
      sum_b += lab.v[2];
    });
    if (skin) g.for_each(from.width, [=, &sum_skin](int x) { sum_skin += mask[x]; });
    const int64_t all[kSums] = {g.sum(sum_a), g.sum(sum_b), g.sum(sum_skin)};
    int64_t* out = sums + static_cast<int64_t>(y) * kSums;
    g.for_each(1, [=](int) {
      for (int i = 0; i < kSums; ++i) out[i] = all[i];
    });
  }
};

/// The means, from the sums of rows. Launched as one group, with index 0.
struct MeanGrade {
  static constexpr KernelId kId = KernelId::kMeanGrade;
  const int64_t* sums;  ///< [rows][GradeSums::kSums]: GradeSums::sums
  int32_t rows;
  int64_t pixels;     ///< that were summed
  GradeMeans* means;  ///< [1]: the averages of a and b over frames, updated; skin is this frame's
  float newest;       ///< share of this frame in the averages, see ChromaPercentile

  template <class Group>
  MT_HD void operator()(Group& g, int) const {
    const int64_t* in = sums;
    int64_t a = 0, b = 0, skin = 0;
    g.for_each(rows, [=, &a, &b, &skin](int y) {
      a += in[y * GradeSums::kSums];
      b += in[y * GradeSums::kSums + 1];
      skin += in[y * GradeSums::kSums + 2];
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

/// Moves all colours towards their mean in CIELAB. Index: row of a part.
struct Harmony {
  static constexpr KernelId kId = KernelId::kHarmony;
  PartRows rows;
  const Tables* tables;
  const GradeMeans* means;
  float strength;  ///< 0..1
  Planes from;
  Planes to;

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const PartRow row = rows[index];
    const uint8_t *r = plane_row(from, 0, row), *gr = plane_row(from, 1, row),
                  *b = plane_row(from, 2, row);
    uint8_t *out_r = plane_row(to, 0, row), *out_g = plane_row(to, 1, row),
            *out_b = plane_row(to, 2, row);
    const Tables* t = tables;
    const Towards towards(*means, strength);
    g.for_each(row.width, [=](int x) {
      const Triple rgb = towards(t, {{r[x], gr[x], b[x]}});
      out_r[x] = static_cast<uint8_t>(rgb.v[0]);
      out_g[x] = static_cast<uint8_t>(rgb.v[1]);
      out_b[x] = static_cast<uint8_t>(rgb.v[2]);
    });
  }
};

}  // namespace mt
