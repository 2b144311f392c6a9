// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <math.h>

#include "cuda/cell_stats.h"
#include "cuda/kernel_list.h"
#include "cuda/lab.h"
#include "cuda/views.h"

namespace mt {

/// The rectangle that a cell covers in the output, pixels; it may reach beyond the frame.
struct CellRect {
  int32_t x, y, width, height;
};

/// What is drawn into a cell.
struct CellPaint {
  CellRect at;
  int32_t cell;
  int32_t tile;
  int32_t blend;  ///< share of the source in the picture, times 2^16
};

/// Strengths of the colour transfer and what follows it.
struct DrawLook {
  float reinhard_l;   ///< 0..1
  float reinhard_ab;  ///< 0..1
  int32_t feather;    ///< not 0: the reference's feather, see Draw
};

/// Draws tiles into cells: recoloured to the cell, mixed with the source. Index: entry of `paint`.
struct Draw {
  static constexpr KernelId kId = KernelId::kDraw;
  static constexpr int kStripPixels = 4096;  ///< that are drawn together
  static constexpr int kLongestRow = 1024;
  static constexpr int kShared = shared_block<uint8_t>(3 * kStripPixels);
  const Tables* tables;
  const CellPaint* paint;
  const CellStats* cells;
  const CellStats* tiles;
  int32_t cell_pixels;    ///< pixels that CellStats are sums over
  const uint8_t* photos;  ///< [photo_count][3: R, G, B][photo_side][photo_side]
  int32_t photo_count;
  int32_t photo_side;  ///< no cell is larger
  Planes source;       ///< size of the canvas
  Planes canvas;
  DrawLook look;

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const CellPaint p = paint[index];
    const CellRect r = clipped(p.at);
    uint8_t* tile = g.template shared<uint8_t>(3 * kStripPixels);
    // In pieces that fit the shared memory: rows of a cell, or parts of very long ones.
    const int width = r.width < kLongestRow ? r.width : kLongestRow;
    const int height = width ? kStripPixels / width : 1;
    for (int y = 0; y < r.height; y += height)
      for (int x = 0; x < r.width; x += width) {
        const CellRect piece{r.x + x, r.y + y, r.width - x < width ? r.width - x : width,
                             r.height - y < height ? r.height - y : height};
        fetch(g, p, piece, tile);
        g.sync();
        blend(g, p, piece, tile);
        g.sync();
      }
  }

 private:
  /// v -> (v * scale + offset) >> 16, cut to 0..255.
  struct Affine {
    int32_t scale, offset;
    MT_HD int32_t operator()(int32_t v) const {
      return clamp_int((v * scale + offset) >> 16, 0, 255);
    }
  };

  /// Copies the tile's pixels for a piece of the cell, as the variant has them.
  /// @param to [3: R, G, B][kStripPixels], rows of the piece without gaps
  template <class Group>
  MT_HD void fetch(Group& g, const CellPaint& p, const CellRect& piece, uint8_t* to) const {
    const Variant variant = static_cast<Variant>(p.tile / photo_count);
    const int64_t area = static_cast<int64_t>(photo_side) * photo_side;
    // A cell narrower than the photo shows its middle.
    const int left = (photo_side - p.at.width) / 2 + piece.x - p.at.x;
    const int top = (photo_side - p.at.height) / 2 + piece.y - p.at.y;
    const int side = photo_side, width = piece.width;
    for (int i = 0; i < 3; ++i) {
      const uint8_t* from =
          photos + (p.tile % photo_count * 3 + i) * area + static_cast<int64_t>(top) * side;
      uint8_t* out = to + i * kStripPixels;
      if (variant == Variant::kMirrored)
        g.for_each(piece.height, width, [=](int y, int x) {
          out[y * width + x] = from[y * side + side - 1 - left - x];
        });
      else
        g.for_each(piece.height, width,
                   [=](int y, int x) { out[y * width + x] = from[y * side + left + x]; });
    }
    if (variant != Variant::kBrighter && variant != Variant::kDarker) return;
    g.sync();
    const uint8_t* gain = variant == Variant::kBrighter ? tables->brighter : tables->darker;
    for (int i = 0; i < 3; ++i) {
      uint8_t* out = to + i * kStripPixels;
      g.for_each(width * piece.height, [=](int k) { out[k] = gain[out[k]]; });
    }
  }

  /// Recolours a piece of the tile, mixes it with the source and draws it.
  template <class Group>
  MT_HD void blend(Group& g, const CellPaint& p, const CellRect& piece, const uint8_t* tile) const {
    const Affine l = reinhard(p, 0), a = reinhard(p, 1), b = reinhard(p, 2);
    const int64_t in_pitch = source.stride, out_pitch = canvas.stride;
    const int64_t from = piece.y * in_pitch + piece.x, to = piece.y * out_pitch + piece.x;
    const uint8_t *in_r = source.plane[0] + from, *in_g = source.plane[1] + from,
                  *in_b = source.plane[2] + from;
    uint8_t *out_r = canvas.plane[0] + to, *out_g = canvas.plane[1] + to,
            *out_b = canvas.plane[2] + to;
    const Mix mix{65536 - p.blend, p.blend, look.feather ? 1 : 0};
    const Tables* t = tables;
    const int width = piece.width;
    g.for_each(piece.height, width, [=](int y, int x) {
      const int i = y * width + x;
      const Triple lab = rgb_to_lab(t, tile[i], tile[kStripPixels + i], tile[2 * kStripPixels + i]);
      const Triple drawn = lab_to_rgb(t, l(lab.v[0]), a(lab.v[1]), b(lab.v[2]));
      const int64_t s = y * in_pitch + x, d = y * out_pitch + x;
      out_r[d] = mix(drawn.v[0], in_r[s]);
      out_g[d] = mix(drawn.v[1], in_g[s]);
      out_b[d] = mix(drawn.v[2], in_b[s]);
    });
  }

  struct Mix {
    int32_t keep, blend;  ///< shares, times 2^16
    /// The reference divides each cell by its own feather mask, so nothing is feathered but the
    /// quotient, a hair below the value, is cut to the level beneath: 1.
    int32_t cut;
    MT_HD uint8_t operator()(int32_t drawn, int32_t source) const {
      const int32_t mixed = ((drawn * keep + source * blend + 32768) >> 16) - cut;
      return static_cast<uint8_t>(mixed < 0 ? 0 : mixed);
    }
  };

  MT_HD CellRect clipped(const CellRect& r) const {
    const int x0 = r.x < 0 ? 0 : r.x, y0 = r.y < 0 ? 0 : r.y;
    const int x1 = r.x + r.width < canvas.width ? r.x + r.width : canvas.width;
    const int y1 = r.y + r.height < canvas.height ? r.y + r.height : canvas.height;
    return {x0, y0, x1 > x0 ? x1 - x0 : 0, y1 > y0 ? y1 - y0 : 0};
  }

  static MT_HD float mean(const CellStats& s, int i, int pixels) {
    return static_cast<float>(s.lab[i]) / static_cast<float>(pixels);
  }

  /// From n * sum of squares - square of sum, in integers: no cancellation.
  static MT_HD float deviation(const CellStats& s, int i, int pixels) {
    const int64_t sum = s.lab[i];
    const int64_t scaled = pixels * s.lab_square[i] - sum * sum;
    return sqrtf(static_cast<float>(scaled)) / static_cast<float>(pixels);
  }

  /// Reinhard et al. 2001 as mosaicraft adapts it: the tile's channel takes on the cell's mean and,
  /// within a factor of two, its deviation; the farther apart, the weaker.
  MT_HD Affine reinhard(const CellPaint& p, int channel) const {
    const CellStats &tile = tiles[p.tile], &cell = cells[p.cell];
    const float from = mean(tile, channel, cell_pixels), to = mean(cell, channel, cell_pixels);
    const float spread = deviation(tile, channel, cell_pixels);
    float ratio = spread > 0.0f ? deviation(cell, channel, cell_pixels) / spread : 2.0f;
    ratio = ratio < 0.5f ? 0.5f : ratio > 2.0f ? 2.0f : ratio;
    const float apart = (from > to ? from - to : to - from) / 128.0f;
    float adapted = 1.0f - apart * 0.3f;
    adapted = adapted < 0.3f ? 0.3f : adapted;
    const float strength = (channel == 0 ? look.reinhard_l : look.reinhard_ab) * adapted;
    const float scale = 1.0f - strength + strength * ratio;
    const float offset = (to - from * ratio) * strength;
    return {static_cast<int32_t>(scale * 65536.0f + 0.5f), static_cast<int32_t>(offset * 65536.0f)};
  }
};

}  // namespace mt
