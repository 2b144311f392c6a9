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
  const Tables* tables;
  const CellPaint* paint;
  const CellStats* cells;
  const CellStats* tiles;
  int32_t cell_pixels;  ///< pixels that CellStats are sums over
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
    Affine transfer[3];
    for (int i = 0; i < 3; ++i) transfer[i] = reinhard(p, i);
    const Affine fl = transfer[0], fa = transfer[1], fb = transfer[2];

    const Variant variant = static_cast<Variant>(p.tile / photo_count);
    const bool mirrored = variant == Variant::kMirrored;
    const uint8_t* gain = variant == Variant::kBrighter  ? tables->brighter
                          : variant == Variant::kDarker ? tables->darker
                                                        : nullptr;
    const int64_t area = static_cast<int64_t>(photo_side) * photo_side;
    const uint8_t* photo = photos + p.tile % photo_count * 3 * area;
    // A cell narrower than the photo shows its middle.
    const int left = (photo_side - p.at.width) / 2 + r.x - p.at.x;
    const int top = (photo_side - p.at.height) / 2 + r.y - p.at.y;
    const int side = photo_side, feather = look.feather;
    const int32_t keep = 65536 - p.blend, blend = p.blend;
    const Tables* t = tables;
    const Planes in = source, out = canvas;

    g.for_each(r.height, r.width, [=](int y, int x) {
      const int column = mirrored ? side - 1 - (left + x) : left + x;
      const uint8_t* pixel = photo + (top + y) * side + column;
      int32_t rgb[3] = {pixel[0], pixel[area], pixel[2 * area]};
      if (gain)
        for (int i = 0; i < 3; ++i) rgb[i] = gain[rgb[i]];
      const Triple lab = rgb_to_lab(t, rgb[0], rgb[1], rgb[2]);
      const Triple drawn = lab_to_rgb(t, fl(lab.v[0]), fa(lab.v[1]), fb(lab.v[2]));
      const int64_t from = (r.y + y) * static_cast<int64_t>(in.stride) + r.x + x;
      const int64_t to = (r.y + y) * static_cast<int64_t>(out.stride) + r.x + x;
      for (int i = 0; i < 3; ++i) {
        const int32_t mixed = (drawn.v[i] * keep + in.plane[i][from] * blend + 32768) >> 16;
        // The reference divides each cell by its own feather mask, so nothing is feathered but the
        // quotient, a hair below the value, is cut to the level beneath.
        out.plane[i][to] = static_cast<uint8_t>(feather && mixed ? mixed - 1 : mixed);
      }
    });
  }

 private:
  /// v -> (v * scale + offset) >> 16, cut to 0..255.
  struct Affine {
    int32_t scale, offset;
    MT_HD int32_t operator()(int32_t v) const {
      return clamp_int((v * scale + offset) >> 16, 0, 255);
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
    return {static_cast<int32_t>(scale * 65536.0f + 0.5f),
            static_cast<int32_t>(offset * 65536.0f)};
  }
};

}  // namespace mt
