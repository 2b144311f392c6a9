// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/frame/samples.h"
#include "kernels/kernel_list.h"
#include "kernels/math/plane_row.h"

namespace mt {

/// Converts planar RGB to the format of a video frame. Padding bytes keep their values; so does
/// alpha, unless it is copied from another frame. Index: strip of kRows rows.
struct Pack {
  static constexpr KernelId kId = KernelId::kPack;
  /// Rows of a strip: whole rows of subsampled chroma, so that two strips never write the same one.
  static constexpr int kRows = 2;
  Planes from;  ///< size of the frame
  FrameView to;
  Component alpha_from;  ///< where alpha is copied from, scaled to the frame, of the same depth;
                         ///< null data: alpha keeps its values
  int32_t alpha_width, alpha_height;  ///< pixels of alpha_from

  template <class Group>
  MT_HD void operator()(Group& g, int strip) const {
    const int end = (strip + 1) * kRows < to.height ? (strip + 1) * kRows : to.height;
    for (int y = strip * kRows; y < end; ++y) {
      if (to.kind == PixelKind::kRgb && to.component[0].step == 3) {
        interleave(g, y);
        continue;
      }
      for (int i = 0; i < (to.kind == PixelKind::kGray ? 1 : 3); ++i)
        if ((y & ((1 << to.component[i].y_shift) - 1)) == 0) write_component(g, i, y);
      if (to.alpha.data && alpha_from.data) write_alpha(g, y);
    }
  }

 private:
  /// Writes a row of R, G, B in any order without alpha: all three in one loop, which compilers
  /// vectorise. Loops that write every third byte they do not.
  template <class Group>
  MT_HD void interleave(Group& g, int y) const {
    uint8_t* first = to.component[0].data;
    for (int i = 1; i < 3; ++i)
      if (to.component[i].data < first) first = to.component[i].data;
    const uint8_t* in[3];
    for (int i = 0; i < 3; ++i) in[to.component[i].data - first] = plane_row(from, i, y);
    uint8_t* out = first + static_cast<int64_t>(y) * to.component[0].stride;
    const uint8_t *a = in[0], *b = in[1], *c = in[2];
    g.for_each(to.width, [=](int x) {
      out[3 * x] = a[x];
      out[3 * x + 1] = b[x];
      out[3 * x + 2] = c[x];
    });
  }

  template <class Group>
  MT_HD void write_component(Group& g, int i, int y) const {
    const Component c = to.component[i];
    uint8_t* out = c.data + static_cast<int64_t>(y >> c.y_shift) * c.stride;
    const uint8_t* row[3];
    for (int k = 0; k < 3; ++k) row[k] = plane_row(from, k, y);
    if (to.kind == PixelKind::kRgb)
      copy(g, row[i], out, c);
    else if (c.x_shift == 0 && c.y_shift == 0)
      convert(g, i, row, out);
    else
      convert_subsampled(g, i, y, row, out);
  }

  template <class Group>
  MT_HD void copy(Group& g, const uint8_t* in, uint8_t* out, const Component& c) const {
    const int width = to.width;
    with_samples(c, [&](auto samples) {
      g.for_each(width, [=](int x) { samples.set(out, x, samples.of_rgb_level(in[x])); });
    });
  }

  template <class Group>
  MT_HD void convert(Group& g, int i, const uint8_t* const* row, uint8_t* out) const {
    const uint8_t *r = row[0], *gr = row[1], *b = row[2];
    const ColorRow component = color_row(to.from_rgb, i);
    const int width = to.width;
    with_samples(to.component[i], [&](auto samples) {
      g.for_each(width,
                 [=](int x) { samples.set(out, x, samples.of_rgb(component, r[x], gr[x], b[x])); });
    });
  }

  /// Converts the mean of the pixels that share a chroma sample; at the right and lower edge of an
  /// odd size these are fewer. No format has fewer rows of chroma than of luma but as many columns.
  template <class Group>
  MT_HD void convert_subsampled(Group& g, int i, int y, const uint8_t* const* row,
                                uint8_t* out) const {
    const Component c = to.component[i];
    const int64_t below = c.y_shift && y + 1 < to.height ? from.stride : 0;
    const uint8_t *r = row[0], *gr = row[1], *b = row[2];
    const ColorRow component = color_row(to.from_rgb, i);
    const int width = to.width;
    with_samples(c, [&](auto samples) {
      const auto sample = [=](int64_t left, int64_t right) {
        return samples.of_sum(component,
                              {sum_of(r, left, right, below), sum_of(gr, left, right, below),
                               sum_of(b, left, right, below)});
      };
      const int pairs = width / 2;
      g.for_each(pairs, [=](int x) { samples.set(out, x, sample(2 * x, 2 * x + 1)); });
      g.for_each(width % 2, [=](int) { samples.set(out, pairs, sample(width - 1, width - 1)); });
    });
  }

  static MT_HD int32_t sum_of(const uint8_t* p, int64_t left, int64_t right, int64_t below) {
    return p[left] + p[right] + p[left + below] + p[right + below];
  }

  template <class Group>
  MT_HD void write_alpha(Group& g, int y) const {
    const int64_t from_y = static_cast<int64_t>(y) * alpha_height / to.height;
    const uint8_t* in = alpha_from.data + from_y * alpha_from.stride;
    uint8_t* out = to.alpha.data + static_cast<int64_t>(y) * to.alpha.stride;
    const int in_step = alpha_from.step, out_step = to.alpha.step;
    const int bytes = to.alpha.depth == 8 ? 1 : 2;
    const int64_t in_width = alpha_width, out_width = to.width;
    g.for_each(to.width, [=](int x) {
      const uint8_t* sample = in + x * in_width / out_width * in_step;
      for (int i = 0; i < bytes; ++i) out[x * out_step + i] = sample[i];
    });
  }
};

}  // namespace mt
