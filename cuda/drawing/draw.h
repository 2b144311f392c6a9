// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "cuda/drawing/hue.h"
#include "cuda/drawing/match_histograms.h"
#include "cuda/drawing/transfer.h"
#include "cuda/kernel_list.h"

namespace mt {

/// One cell to draw.
struct CellPaint {
  CellRect at;
  int32_t cell;  ///< index into Draw::cells
  int32_t tile;  ///< photo + photo_count * variant
  float blend;   ///< share of the source in the picture, 0..1
};

/// How tiles are adapted to their cells.
struct DrawLook {
  TransferLook transfer;
  float histogram;  ///< share of histogram matching with the cell, 0..1
  int32_t feather;  ///< not 0: subtract a level, as mosaicraft's feather does (see Draw::blend)
  bool operator==(const DrawLook&) const = default;
};

/// Draws tiles into cells: transfers the colours of the cell to the tile, and mixes it with the
/// source. Index: entry of `paint`.
struct Draw {
  static constexpr KernelId kId = KernelId::kDraw;
  static constexpr int kStripPixels = 4096;  ///< pixels processed together
  static constexpr int kLongestRow = 1024;   ///< pixels of a row processed together
  static constexpr int kShared =
      shared_block<LabMap>(1) + shared_block<uint8_t>(3 * kStripPixels) + kMatchShared;
  const Tables* tables;
  const CellPaint* paint;  ///< [count], cells without overlap
  const CellStats* cells;  ///< [all cells]
  const CellStats* tiles;  ///< [all tiles]
  int32_t cell_pixels;     ///< number of pixels that each CellStats is a sum over
  const uint8_t* photos;   ///< [photo_count][3: R, G, B][height][width] of photo_size
  int32_t photo_count;
  PixelSize photo_size;  ///< at least that of every cell
  Planes source;         ///< size of the canvas
  Planes canvas;         ///< written
  DrawLook look;
  TileVariants variants{};  ///< of the tiles

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const CellPaint p = paint[index];
    const CellRect r = clipped(p.at, canvas);
    LabMap* map = g.template shared<LabMap>(1);
    g.for_each(1, [=, this](int) { *map = find_map(p); });
    uint8_t* tile = g.template shared<uint8_t>(3 * kStripPixels);
    // In pieces that fit into the shared memory: some rows of a cell, or parts of very long rows.
    const int width = r.width < kLongestRow ? r.width : kLongestRow;
    const int height = width ? kStripPixels / width : 1;
    for (int y = 0; y < r.height; y += height)
      for (int x = 0; x < r.width; x += width) {
        const CellRect piece{r.x + x, r.y + y, r.width - x < width ? r.width - x : width,
                             r.height - y < height ? r.height - y : height};
        fetch(g, p, piece, tile);
        g.sync();
        recolour(g, *map, piece, tile);
        g.sync();
      }
    if (look.histogram > 0.0f) match_histograms(g, source, canvas, r, look.histogram);
    g.sync();
    blend(g, p.blend, r);
  }

 private:
  /// Copies the tile's pixels for a piece of the cell, in the tile's variant.
  /// @param to [3: R, G, B][kStripPixels], rows of the piece without gaps
  template <class Group>
  MT_HD void fetch(Group& g, const CellPaint& p, const CellRect& piece, uint8_t* to) const {
    const Variant variant = variants.augmentation(p.tile / photo_count);
    const int stride = photo_size.width, width = piece.width;
    const int64_t area = static_cast<int64_t>(stride) * photo_size.height;
    // A cell narrower than the photo shows the middle of the photo.
    const int left = (stride - p.at.width) / 2 + piece.x - p.at.x;
    const int top = (photo_size.height - p.at.height) / 2 + piece.y - p.at.y;
    for (int i = 0; i < 3; ++i) {
      const uint8_t* from =
          photos + (p.tile % photo_count * 3 + i) * area + static_cast<int64_t>(top) * stride;
      uint8_t* out = to + i * kStripPixels;
      if (variant == Variant::kMirrored)
        g.for_each(piece.height, width, [=](int y, int x) {
          out[y * width + x] = from[y * stride + stride - 1 - left - x];
        });
      else
        g.for_each(piece.height, width,
                   [=](int y, int x) { out[y * width + x] = from[y * stride + left + x]; });
    }
    if (variant == Variant::kBrighter || variant == Variant::kDarker) {
      g.sync();
      const uint8_t* gain = variant == Variant::kBrighter ? tables->brighter : tables->darker;
      for (int i = 0; i < 3; ++i) {
        uint8_t* out = to + i * kStripPixels;
        g.for_each(width * piece.height, [=](int k) { out[k] = gain[out[k]]; });
      }
    }
    const HueRotation* rotation = variants.rotation(p.tile / photo_count);
    if (rotation) {
      g.sync();
      rotate_hues(g, tables, *rotation, to, to + kStripPixels, to + 2 * kStripPixels,
                  width * piece.height);
    }
  }

  MT_HD LabMap find_map(const CellPaint& p) const {
    const CellStats &tile = tiles[p.tile], &cell = cells[p.cell];
    if (look.transfer.kind == Transfer::kReinhard)
      return reinhard(tile, cell, cell_pixels, look.transfer);
    if (look.transfer.kind == Transfer::kMongeKantorovich)
      return monge_kantorovich(tile, cell, cell_pixels, look.transfer);
    return {};
  }

  /// Writes a piece of the tile with transferred colours.
  template <class Group>
  MT_HD void recolour(Group& g, const LabMap& map, const CellRect& piece,
                      const uint8_t* tile) const {
    const int64_t pitch = canvas.stride, to = piece.y * pitch + piece.x;
    uint8_t *out_r = canvas.plane[0] + to, *out_g = canvas.plane[1] + to,
            *out_b = canvas.plane[2] + to;
    const int width = piece.width;
    if (look.transfer.kind == Transfer::kNone) {
      g.for_each(piece.height, width, [=](int y, int x) {
        const int i = y * width + x;
        const int64_t d = y * pitch + x;
        out_r[d] = tile[i];
        out_g[d] = tile[kStripPixels + i];
        out_b[d] = tile[2 * kStripPixels + i];
      });
      return;
    }
    const LabMap m = map;
    const Tables* t = tables;
    g.for_each(piece.height, width, [=](int y, int x) {
      const int i = y * width + x;
      const Triple lab = rgb_to_lab(t, tile[i], tile[kStripPixels + i], tile[2 * kStripPixels + i]);
      const Triple drawn = lab_to_rgb(t, m(0, lab), m(1, lab), m(2, lab));
      const int64_t d = y * pitch + x;
      out_r[d] = static_cast<uint8_t>(drawn.v[0]);
      out_g[d] = static_cast<uint8_t>(drawn.v[1]);
      out_b[d] = static_cast<uint8_t>(drawn.v[2]);
    });
  }

  /// Mixes what was drawn with the source.
  template <class Group>
  MT_HD void blend(Group& g, float share, const CellRect& r) const {
    const int64_t in_pitch = source.stride, out_pitch = canvas.stride;
    const float keep = 1.0f - share;
    // mosaicraft multiplies each cell by its feather mask and then divides by the same mask. That
    // feathers nothing, but the quotient is slightly below the value and is truncated to the next
    // lower level.
    const int32_t decrement = look.feather ? 1 : 0;
    for (int i = 0; i < 3; ++i) {
      const uint8_t* in = source.plane[i] + r.y * in_pitch + r.x;
      uint8_t* out = canvas.plane[i] + r.y * out_pitch + r.x;
      g.for_each(r.height, r.width, [=](int y, int x) {
        const int32_t mixed =
            mix(out[y * out_pitch + x], in[y * in_pitch + x], keep, share) - decrement;
        out[y * out_pitch + x] = static_cast<uint8_t>(mixed < 0 ? 0 : mixed);
      });
    }
  }
};

}  // namespace mt
