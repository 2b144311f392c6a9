// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Colour transfer from a cell to its tile, as a linear map of CIELAB.
#pragma once

#include "kernels/features/cell_stats.h"
#include "kernels/math/lab.h"
#include "kernels/math/symmetric.h"

namespace mt {

enum class Transfer : int32_t { kNone, kReinhard, kMongeKantorovich };

struct TransferLook {
  Transfer kind;
  float l;   ///< strength for L, 0..1; for all three channels with kMongeKantorovich
  float ab;  ///< strength for a and b, 0..1
  bool operator==(const TransferLook&) const = default;
};

/// The map lab -> matrix x lab + offset.
struct LabMap {
  Matrix3 matrix;
  float offset[3];
  /// Channel i of the result, truncated to a level, 0..255.
  MT_HD int32_t operator()(int i, const Triple& lab) const {
    const float* m = matrix.at[i];
    const float v = m[0] * static_cast<float>(lab.v[0]) + m[1] * static_cast<float>(lab.v[1]) +
                    m[2] * static_cast<float>(lab.v[2]) + offset[i];
    return static_cast<int32_t>(v > 0.0f ? v < 255.0f ? v : 255.0f : 0.0f);
  }
};

static MT_HD inline float mean_lab(const CellStats& s, int i, int pixels) {
  return static_cast<float>(s.lab[i]) / static_cast<float>(pixels);
}

/// n times the sum of squared deviations: n * sum of squares - square of the sum, in integers,
/// which avoids cancellation.
static MT_HD inline float scaled_variance(const CellStats& s, int i, int pixels) {
  const int64_t sum = s.lab[i];
  return static_cast<float>(pixels * s.lab_square[i] - sum * sum);
}

/// Reinhard et al. 2001 as mosaicraft adapts it: each channel of the tile gets the cell's mean and
/// its standard deviation, but its deviation changes by at most a factor of two. The strength
/// falls with the distance of the means.
static MT_HD inline LabMap reinhard(const CellStats& tile, const CellStats& cell, int pixels,
                                    const TransferLook& look) {
  LabMap map{};
  for (int i = 0; i < 3; ++i) {
    const float from = mean_lab(tile, i, pixels), to = mean_lab(cell, i, pixels);
    const float spread = sqrtf(scaled_variance(tile, i, pixels));
    float ratio = spread > 0.0f ? sqrtf(scaled_variance(cell, i, pixels)) / spread : 2.0f;
    ratio = ratio < 0.5f ? 0.5f : ratio > 2.0f ? 2.0f : ratio;
    const float apart = (from > to ? from - to : to - from) / 128.0f;
    float adapted = 1.0f - apart * 0.3f;
    adapted = adapted < 0.3f ? 0.3f : adapted;
    const float strength = (i == 0 ? look.l : look.ab) * adapted;
    map.matrix.at[i][i] = 1.0f - strength + strength * ratio;
    map.offset[i] = (to - from * ratio) * strength;
  }
  return map;
}

/// Sample covariance of L, a, b, with a small number added to the diagonal, so that it can be
/// inverted for a tile of one colour.
static MT_HD inline Matrix3 covariance(const CellStats& s, int pixels) {
  const int64_t n = pixels;
  const float scale = 1.0f / (static_cast<float>(n) * static_cast<float>(n - 1));
  constexpr float kMore = 1e-6f;
  Matrix3 c;
  for (int i = 0; i < 3; ++i) c.at[i][i] = scaled_variance(s, i, pixels) * scale + kMore;
  for (int k = 0; k < 3; ++k) {
    const int i = k == 2 ? 1 : 0, j = k == 0 ? 1 : 2;  // L a, L b, a b
    const int64_t scaled = n * s.lab_cross[k] - static_cast<int64_t>(s.lab[i]) * s.lab[j];
    c.at[i][j] = c.at[j][i] = static_cast<float>(scaled) * scale;
  }
  return c;
}

/// The Monge-Kantorovich map of Pitie and Kokaram (2007), mixed with the identity by the strength.
static MT_HD inline LabMap monge_kantorovich(const CellStats& tile, const CellStats& cell,
                                             int pixels, const TransferLook& look) {
  LabMap map;
  map.matrix = monge_kantorovich(covariance(tile, pixels), covariance(cell, pixels));
  for (int i = 0; i < 3; ++i) {
    float* row = map.matrix.at[i];
    float moved = mean_lab(cell, i, pixels);
    for (int j = 0; j < 3; ++j) {
      moved -= row[j] * mean_lab(tile, j, pixels);
      row[j] = row[j] * look.l + (i == j ? 1.0f - look.l : 0.0f);
    }
    map.offset[i] = moved * look.l;
  }
  return map;
}

}  // namespace mt
