// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <math.h>

#include "kernels/features/cell_features.h"
#include "kernels/frame/scene_change.h"
#include "kernels/kernel_list.h"
#include "kernels/math/copy_bytes.h"
#include "kernels/math/hsv.h"
#include "kernels/math/oklab.h"
#include "kernels/math/sum_differences.h"
#include "kernels/views.h"

namespace mt {

/// Copies the pixels of a cell and computes its features and statistics. Cells whose pixels did not
/// change, or by no more than a tolerance since they were last copied, keep what was computed for
/// them. Index: cell.
struct Analyse {
  static constexpr KernelId kId = KernelId::kAnalyse;
  static constexpr int kShared = kFeaturesShared;
  const Tables* tables;
  /// The picture: cell c covers side x side pixels from
  /// (left + c % columns * side, top + c / columns * side); outside of the picture its edge pixels
  /// repeat. With null planes, `pixels` is the input.
  Planes source;
  int32_t left, top;
  int32_t columns;
  int32_t side;         ///< pixels, 8..256
  int32_t analyse_all;  ///< not 0: also cells whose pixels did not change
  uint8_t* pixels;      ///< [cells][3: R, G, B][side][side]: those last analysed, updated
  uint8_t* lab;         ///< [cells][3: L, a, b][side][side]
  uint8_t* lightness;   ///< [cells][side + 2][side + 2]: L, reflected at its border
  int16_t* features;    ///< [cells][kFeatureStride]
  int16_t* residuals;   ///< [cells][kFeatureStride], see FeatureOut
  CellStats* stats;     ///< [cells]
  uint8_t* analysed;    ///< [cells]: 1 where a cell was analysed, else 0; may be null
  uint8_t* copy;        ///< as `pixels`: receives the pixels of every cell, too; may be null
  int32_t tolerance;    ///< the largest sum of absolute differences over a cell's pixels that does
                        ///< not count as a change
  const SceneState* scene;  ///< at a scene cut and a scene return the tolerance is 0; may be null

  template <class Group>
  MT_HD void operator()(Group& g, int cell) const {
    const int64_t n = static_cast<int64_t>(side) * side;
    uint8_t* rgb = pixels + cell * 3 * n;
    const StripScratch scratch(g);
    if (source.plane[0]) {
      const int32_t allowed = scene && !scene->cut && !scene->returned ? tolerance : 0;
      const bool moved = analyse_all || differs(g, cell, rgb, allowed, scratch.codes);
      if (moved) fetch(g, cell, rgb);
      if (analysed)
        g.for_each(1, [=, out = analysed](int) { out[cell] = static_cast<uint8_t>(moved); });
      if (copy) {
        uint8_t* to = copy + cell * 3 * n;
        g.sync();
        g.for_each(static_cast<int>(3 * n), [=](int i) { to[i] = rgb[i]; });
      }
      if (!moved) return;
      g.sync();
    }
    uint8_t* cell_lab = lab + cell * 3 * n;
    uint8_t* cell_lightness = lightness + static_cast<int64_t>(cell) * (side + 2) * (side + 2);
    const int64_t at = static_cast<int64_t>(cell) * kFeatureStride;
    const FeatureOut out{features + at, residuals + at};
    CellStats s{};
    convert(g, rgb, cell_lab, s);
    g.sync();
    pad_lightness(g, cell_lab, cell_lightness);
    sum_up(g, rgb, cell_lab, s);
    square_means(g, cell_lab, side, scratch, out);
    colour_histograms(g, cell_lab, side, scratch, out);
    gradient_histograms(g, cell_lightness, side, scratch, out);
    pattern_histograms(g, cell_lightness, side, scratch, out);
    g.for_each(1, [=, to = stats](int) {
      out.features[kFeatures] = out.residuals[kFeatures] = 0;
      to[cell] = s;
    });
  }

 private:
  MT_HD int x_of(int cell) const { return left + cell % columns * side; }
  MT_HD int y_of(int cell) const { return top + cell / columns * side; }
  MT_HD bool is_inside(int cell) const {
    const int x = x_of(cell), y = y_of(cell);
    return x >= 0 && y >= 0 && x + side <= source.width && y + side <= source.height;
  }

  /// Copies rows of one channel of a cell from the source. @param to [rows][side], written
  template <class Group>
  MT_HD void copy_rows(Group& g, int cell, int channel, int first, int rows, uint8_t* to) const {
    const int x0 = x_of(cell), y0 = y_of(cell) + first;
    const int width = side, last_x = source.width - 1, last_y = source.height - 1;
    const int64_t pitch = source.stride;
    const uint8_t* in = source.plane[channel];
    if (is_inside(cell)) {
      copy_bytes(g, in + y0 * pitch + x0, pitch, rows, width, to, width);
    } else {
      g.for_each(rows, width, [=](int y, int x) {
        to[y * width + x] = in[clamp_int(y0 + y, 0, last_y) * pitch + clamp_int(x0 + x, 0, last_x)];
      });
    }
  }

  /// Whether the sum of the absolute differences of a cell's pixels from those in `rgb` is more
  /// than `most`.
  /// @param strip [kStripPixels], shared: written
  template <class Group>
  MT_HD bool differs(Group& g, int cell, const uint8_t* rgb, int64_t most, uint8_t* strip) const {
    const int height = kStripPixels / side;
    const bool inside = is_inside(cell);
    const int64_t at = static_cast<int64_t>(y_of(cell)) * source.stride + x_of(cell);
    int64_t total = 0;
    for (int channel = 0; channel < 3; ++channel)
      for (int first = 0; first < side; first += height) {
        const int rows = side - first < height ? side - first : height;
        if (!inside) {
          copy_rows(g, cell, channel, first, rows, strip);
          g.sync();
        }
        const uint8_t* now =
            inside ? source.plane[channel] + at + int64_t{first} * source.stride : strip;
        total += g.sum(sum_differences(g, now, inside ? source.stride : side, rows, side,
                                       rgb + (channel * side + first) * side));
        if (total > most) return true;
      }
    return false;
  }

  template <class Group>
  MT_HD void fetch(Group& g, int cell, uint8_t* rgb) const {
    for (int i = 0; i < 3; ++i) copy_rows(g, cell, i, 0, side, rgb + i * side * side);
  }

  /// CIELAB of the pixels, and their mean Oklab. Both begin with the linear light, which is looked
  /// up once.
  template <class Group>
  MT_HD void convert(Group& g, const uint8_t* rgb, uint8_t* out, CellStats& s) const {
    const Tables* t = tables;
    const int n = side * side;
    int64_t sum[3] = {0, 0, 0};  // of the cones' roots
    // In parts whose sums fit 32 bits.
    constexpr int kPart = 4096, kBits = 18;
    for (int begin = 0; begin < n; begin += kPart) {
      const uint8_t* in = rgb + begin;
      uint8_t* to = out + begin;
      const int count = n - begin < kPart ? n - begin : kPart;
      int32_t l = 0, m = 0, sh = 0;
      g.for_each(count, [=, &l, &m, &sh](int i) {
        const float r = t->linear_unit[in[i]], gr = t->linear_unit[in[n + i]],
                    b = t->linear_unit[in[2 * n + i]];
        const ConeRoots roots = cone_roots(r, gr, b);
        constexpr float kScale = 1 << kBits;
        l += static_cast<int32_t>(roots.l * kScale + 0.5f);
        m += static_cast<int32_t>(roots.m * kScale + 0.5f);
        sh += static_cast<int32_t>(roots.s * kScale + 0.5f);
        const Triple lab = linear_to_lab(t, light_steps(r), light_steps(gr), light_steps(b));
        to[i] = static_cast<uint8_t>(lab.v[0]);
        to[n + i] = static_cast<uint8_t>(lab.v[1]);
        to[2 * n + i] = static_cast<uint8_t>(lab.v[2]);
      });
      sum[0] += l;
      sum[1] += m;
      sum[2] += sh;
    }
    const float scale = 1.0f / (static_cast<float>(n) * (1 << kBits));
    const auto mean = [=, &g](int64_t v) { return static_cast<float>(g.sum(v)) * scale; };
    const ConeRoots roots{mean(sum[0]), mean(sum[1]), mean(sum[2])};
    const Oklab c = oklab_of_roots(roots);
    constexpr float kScale = 1 << kOklabBits;
    s.oklab[0] = nearest(c.lightness * kScale);
    s.oklab[1] = nearest(c.a * kScale);
    s.oklab[2] = nearest(c.b * kScale);
  }

  template <class Group>
  MT_HD void pad_lightness(Group& g, const uint8_t* in, uint8_t* out) const {
    const int size = side, pitch = side + 2;
    g.for_each(pitch, [=](int y) {
      const uint8_t* row = in + reflect(y - 1, size) * size;
      uint8_t* to = out + y * pitch;
      to[0] = row[1];
      for (int x = 0; x < size; ++x) to[x + 1] = row[x];
      to[size + 1] = row[size - 2];
    });
    g.sync();
  }

  template <class Group>
  MT_HD void sum_up(Group& g, const uint8_t* rgb, const uint8_t* in, CellStats& s) const {
    const int n = side * side;
    for (int i = 0; i < 3; ++i) {
      const uint8_t *colour = rgb + i * n, *a = in + i * n;
      int32_t sum = 0, sum_lab = 0;
      uint32_t square = 0;  // 256 x 256 squares of 8 bits stay below 2^32
      g.for_each(n, [=, &sum, &sum_lab, &square](int k) {
        sum += colour[k];
        sum_lab += a[k];
        square += static_cast<uint32_t>(a[k]) * a[k];
      });
      s.rgb[i] = static_cast<int32_t>(g.sum(sum));
      s.lab[i] = static_cast<int32_t>(g.sum(sum_lab));
      s.lab_square[i] = g.sum(square);
    }
    for (int i = 0; i < 3; ++i) {
      const uint8_t *a = in + (i == 2 ? n : 0), *b = in + (i == 0 ? n : 2 * n);
      uint32_t cross = 0;
      g.for_each(n, [=, &cross](int k) { cross += static_cast<uint32_t>(a[k]) * b[k]; });
      s.lab_cross[i] = g.sum(cross);
    }
    int32_t saturation = 0;
    g.for_each(n, [=, &saturation](int k) {
      const int32_t r = rgb[k], gr = rgb[n + k], b = rgb[2 * n + k];
      const int32_t high = r > gr ? (r > b ? r : b) : (gr > b ? gr : b);
      const int32_t low = r < gr ? (r < b ? r : b) : (gr < b ? gr : b);
      saturation += hsv_saturation(high - low, high);
    });
    s.saturation = static_cast<int32_t>(g.sum(saturation));
  }
};

}  // namespace mt
