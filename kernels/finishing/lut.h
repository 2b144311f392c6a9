// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Grading by a 3D LUT: whatever finishing does to a colour by itself (the gains of detail without
/// the blur, vibrance, saturation, contrast, harmony), computed for the nodes alone. Skin is exempt
/// by its colour, without the blur of the mask.
#pragma once

#include "kernels/finishing/frequency.h"
#include "kernels/finishing/grade_colour.h"
#include "kernels/finishing/harmony.h"
#include "kernels/finishing/skin.h"
#include "kernels/kernel_list.h"
#include "kernels/math/lut3d.h"
#include "kernels/math/part_rows.h"

namespace mt {

/// What a LUT does to colours, apart from the statistics of the picture.
struct LutLook {
  FrequencyGains gains;
  GradeLook grade;
  float harmony;  ///< share by which colours move to the means, 0..1

  /// A graded colour, before harmony. @param most  ChromaPercentile::chroma; @param skin  0..1
  MT_HD Triple graded(const Tables* t, float most, float skin, const Triple& rgb) const {
    const float kept = skin * grade.skin_protection;
    int32_t v[3];
    for (int i = 0; i < 3; ++i) v[i] = gains.apply(rgb.v[i], rgb.v[i] << kBlurredBits);
    const Triple vibrant = make_vibrant(t, grade.vibrance, most, kept, v[0], v[1], v[2]);
    Triple out = saturate(t, grade, vibrant.v[0], vibrant.v[1], vibrant.v[2]);
    for (int i = 0; i < 3; ++i) out.v[i] = raise_contrast(grade.contrast, kept, out.v[i]);
    return out;
  }
};

/// The level of a node along one axis: that of the last one is 255, not 256.
static MT_HD inline int32_t lut_level(int node) {
  return node < kLutSide - 1 ? node << kLutWeightBits : 255;
}

/// Sets the fourth value of each node: how much of the colours around it may be skin, x 2^kLutBits;
/// 255: all. Launched once. Index: node along red.
struct SkinLut {
  static constexpr KernelId kId = KernelId::kSkinLut;
  static constexpr int kReach = 2, kStep = 4;  ///< 5 x 5 x 5 colours, 4 levels apart
  const Tables* tables;
  uint16_t* lut;  ///< [kLutNodes][kLutValues]

  template <class Group>
  MT_HD void operator()(Group& g, int red) const {
    const Tables* t = tables;
    uint16_t* nodes = lut + red * kLutStep[0] * kLutValues;
    const int32_t r = lut_level(red);
    g.for_each(kLutSide, kLutSide, [=](int green, int blue) {
      constexpr int kColours = (2 * kReach + 1) * (2 * kReach + 1) * (2 * kReach + 1);
      int skin = 0;
      for (int i = -kReach; i <= kReach; ++i)
        for (int j = -kReach; j <= kReach; ++j)
          for (int k = -kReach; k <= kReach; ++k)
            skin += may_be_skin(t, clamp_int(r + i * kStep, 0, 255),
                                clamp_int(lut_level(green) + j * kStep, 0, 255),
                                clamp_int(lut_level(blue) + k * kStep, 0, 255));
      nodes[(green * kLutSide + blue) * kLutValues + 3] =
          static_cast<uint16_t>((skin * (255 << kLutBits) + kColours / 2) / kColours);
    });
  }
};

/// As GradeSums, from a picture that is not graded yet. Index: row of those that count.
struct SampleGrade {
  static constexpr KernelId kId = KernelId::kSampleGrade;
  const Tables* tables;
  LutLook look;
  const float* chroma;  ///< [1]: ChromaPercentile::chroma
  Planes from;
  int32_t step;   ///< 1 or more
  int64_t* sums;  ///< [rows][GradeSums::kSums], written

  template <class Group>
  MT_HD void operator()(Group& g, int row) const {
    const int y = row * step, each = step;
    const uint8_t *r = plane_row(from, 0, y), *gr = plane_row(from, 1, y),
                  *b = plane_row(from, 2, y);
    const Tables* t = tables;
    const LutLook strengths = look;
    const float most = *chroma;
    int32_t sum_a = 0, sum_b = 0, skin = 0;
    g.for_each(samples(from.width, step), [=, &sum_a, &sum_b, &skin](int i) {
      const int x = i * each;
      const bool is_skin = may_be_skin(t, r[x], gr[x], b[x]);
      const Triple rgb = strengths.graded(t, most, is_skin ? 1.0f : 0.0f, {{r[x], gr[x], b[x]}});
      const Triple lab = rgb_to_lab(t, rgb.v[0], rgb.v[1], rgb.v[2]);
      sum_a += lab.v[1];
      sum_b += lab.v[2];
      skin += is_skin;
    });
    const int64_t all[GradeSums::kSums] = {g.sum(sum_a), g.sum(sum_b), g.sum(skin) * Grade::kSkin};
    int64_t* out = sums + static_cast<int64_t>(row) * GradeSums::kSums;
    g.for_each(1, [=](int) {
      for (int i = 0; i < GradeSums::kSums; ++i) out[i] = all[i];
    });
  }
};

/// The statistics that a LUT was filled with.
struct LutState {
  float chroma;  ///< ChromaPercentile::chroma
  float a, b;    ///< of GradeMeans
  int32_t fill;  ///< 1: the LUT is to be filled anew
};

/// Decides whether the statistics have moved so far that the LUT must be filled anew: by less, no
/// colour would change by a level. Launched as one group, with index 0.
struct PlanLut {
  static constexpr KernelId kId = KernelId::kPlanLut;
  static constexpr float kChromaStep = 0.02f;  ///< of itself
  static constexpr float kMeanStep = 1.0f;     ///< levels; harmony uses a share of them
  const float* chroma;
  const GradeMeans* means;
  int32_t always;   ///< 1: to be filled in any case
  LutState* state;  ///< [1], updated

  template <class Group>
  MT_HD void operator()(Group& g, int) const {
    const float now = *chroma;
    const GradeMeans mean = *means;
    const bool any = always;
    LutState* s = state;
    g.for_each(1, [=](int) {
      const bool moved = fabsf(now - s->chroma) > kChromaStep * s->chroma ||
                         fabsf(mean.a - s->a) > kMeanStep || fabsf(mean.b - s->b) > kMeanStep;
      if (any || moved) {
        *s = {now, mean.a, mean.b, 1};
      } else {
        s->fill = 0;
      }
    });
  }
};

/// Computes the colours of the nodes, if that is planned. Index: node along red.
struct FillLut {
  static constexpr KernelId kId = KernelId::kFillLut;
  const Tables* tables;
  LutLook look;
  const LutState* state;
  uint16_t* lut;  ///< [kLutNodes][kLutValues]: the fourth value is read, the others are written

  template <class Group>
  MT_HD void operator()(Group& g, int red) const {
    if (!state->fill) return;
    const Tables* t = tables;
    const LutLook strengths = look;
    const float most = state->chroma;
    const Towards towards({state->a, state->b, 0, 0}, look.harmony);
    uint16_t* nodes = lut + red * kLutStep[0] * kLutValues;
    g.for_each(kLutSide, kLutSide, [=](int green, int blue) {
      uint16_t* node = nodes + (green * kLutSide + blue) * kLutValues;
      const float skin = static_cast<float>(node[3]) / (255 << kLutBits);
      const auto colour = [=](const Triple& rgb) {
        const Triple out = strengths.graded(t, most, skin, rgb);
        return strengths.harmony > 0.0f ? towards(t, out) : out;
      };
      const Triple at = {{lut_level(red), lut_level(green), lut_level(blue)}};
      const Triple out = colour(at);
      Triple beyond = out;
      if (at.v[0] == 255 || at.v[1] == 255 || at.v[2] == 255) beyond = last_step(colour, at, out);
      for (int i = 0; i < 3; ++i)
        node[i] = static_cast<uint16_t>(
            clamp_int((out.v[i] << kLutBits) + ((beyond.v[i] - out.v[i]) << kLutBits) / 7, 0,
                      511 << kLutBits));
    });
  }

 private:
  /// The last nodes of an axis belong to level 256. There the change from 248 to 255 continues:
  /// @return `out` plus that change
  template <class Colour>
  static MT_HD Triple last_step(const Colour& colour, const Triple& at, const Triple& out) {
    Triple inner = at;
    for (int i = 0; i < 3; ++i) inner.v[i] = at.v[i] == 255 ? 248 : at.v[i];
    const Triple before = colour(inner);
    Triple beyond;
    for (int i = 0; i < 3; ++i) beyond.v[i] = 2 * out.v[i] - before.v[i];
    return beyond;
  }
};

/// Replaces the colours of a picture by those of a LUT. Index: row of a part.
struct ApplyLut {
  static constexpr KernelId kId = KernelId::kApplyLut;
  PartRows rows;
  const uint16_t* lut;  ///< [kLutNodes][kLutValues]
  Planes from;
  Planes to;
  uint8_t* skin;  ///< [height][to.stride], written: the fourth value; may be null

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const PartRow row = rows[index];
    prefetch_row(g, from, row);
    prefetch_row(g, to, row);
    LutRow at{};
    for (int i = 0; i < 3; ++i) {
      at.in[i] = plane_row(from, i, row);
      at.out[i] = plane_row(to, i, row);
    }
    at.out[3] = skin ? skin + static_cast<int64_t>(row.y) * to.stride + row.x : nullptr;
    look_up(g, lut, at, row.width);
  }
};

}  // namespace mt
