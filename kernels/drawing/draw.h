// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/drawing/hue.h"
#include "kernels/drawing/match_histograms.h"
#include "kernels/drawing/pieces.h"
#include "kernels/drawing/transfer.h"
#include "kernels/kernel_list.h"
#include "kernels/math/copy_bytes.h"
#include "kernels/views.h"

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
  static constexpr int kShared = shared_block<LabMap>(1) +
                                 2 * shared_block<uint8_t>(3 * kPiecePixels) +
                                 HistogramMatch::kShared;
  const Tables* tables;
  const CellPaint* paint;  ///< [count], cells without overlap
  /// [all cells] and [all tiles]; without colour transfer they may be null.
  const CellStats* cells;
  const CellStats* tiles;
  int32_t cell_pixels;    ///< number of pixels that each CellStats is a sum over
  const uint8_t* photos;  ///< [photo_count][3: R, G, B][height][width] of photo_size
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
    uint8_t* tile = g.template shared<uint8_t>(3 * kPiecePixels);
    uint8_t* cell = g.template shared<uint8_t>(3 * kPiecePixels);
    const bool matches = look.histogram > 0.0f;
    const HistogramMatch histogram(g, look.histogram);
    g.sync();
    // A cell that is a single piece stays in the shared memory until it is finished.
    const bool single = is_single_piece(r);
    for_each_piece(r, [=, &g, this](const CellRect& piece) {
      const int n = piece.width * piece.height;
      fetch(g, p, piece, tile);
      if (matches || single) copy_from(g, source, piece, cell);
      g.sync();
      recolour(g, *map, n, tile);
      g.sync();
      if (matches)
        for (int i = 0; i < 3; ++i)
          histogram.count(g, i, tile + i * kPiecePixels, cell + i * kPiecePixels, n);
      if (!single) copy_to(g, tile, piece);
      g.sync();
    });
    if (matches) histogram.match(g);
    for_each_piece(r, [=, &g, this](const CellRect& piece) {
      if (!single) {
        copy_from(g, canvas, piece, tile);
        copy_from(g, source, piece, cell);
        g.sync();
      }
      for (int i = 0; i < 3; ++i)
        blend(g, matches ? histogram.map(i) : nullptr, p.blend, cell + i * kPiecePixels,
              tile + i * kPiecePixels, piece.width * piece.height);
      g.sync();
      copy_to(g, tile, piece);
      g.sync();
    });
  }

 private:
  /// @param to [3: R, G, B][kPiecePixels], rows of the piece without gaps
  template <class Group>
  static MT_HD void copy_from(Group& g, const Planes& picture, const CellRect& piece, uint8_t* to) {
    for (int i = 0; i < 3; ++i) copy_piece(g, picture, i, piece, to + i * kPiecePixels);
  }
  template <class Group>
  MT_HD void copy_to(Group& g, const uint8_t* from, const CellRect& piece) const {
    for (int i = 0; i < 3; ++i) write_piece(g, from + i * kPiecePixels, piece, canvas, i);
  }

  /// Copies the tile's pixels for a piece of the cell, in the tile's variant.
  /// @param to [3: R, G, B][kPiecePixels], rows of the piece without gaps
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
      uint8_t* out = to + i * kPiecePixels;
      if (variant == Variant::kMirrored)
        g.for_each(piece.height, width, [=](int y, int x) {
          out[y * width + x] = from[y * stride + stride - 1 - left - x];
        });
      else
        copy_bytes(g, from + left, stride, piece.height, width, out, width);
    }
    if (variant == Variant::kBrighter || variant == Variant::kDarker) {
      g.sync();
      const uint8_t* gain = variant == Variant::kBrighter ? tables->brighter : tables->darker;
      for (int i = 0; i < 3; ++i) {
        uint8_t* out = to + i * kPiecePixels;
        g.for_each(width * piece.height, [=](int k) { out[k] = gain[out[k]]; });
      }
    }
    const HueRotation* rotation = variants.rotation(p.tile / photo_count);
    if (rotation) {
      g.sync();
      rotate_hues(g, tables, *rotation, to, to + kPiecePixels, to + 2 * kPiecePixels,
                  width * piece.height);
    }
  }

  MT_HD LabMap find_map(const CellPaint& p) const {
    if (look.transfer.kind == Transfer::kReinhard)
      return reinhard(tiles[p.tile], cells[p.cell], cell_pixels, look.transfer);
    if (look.transfer.kind == Transfer::kMongeKantorovich)
      return monge_kantorovich(tiles[p.tile], cells[p.cell], cell_pixels, look.transfer);
    return {};
  }

  /// Transfers colours to n pixels of the tile. @param tile [3: R, G, B][kPiecePixels], changed
  template <class Group>
  MT_HD void recolour(Group& g, const LabMap& map, int n, uint8_t* tile) const {
    if (look.transfer.kind == Transfer::kNone) return;
    const LabMap m = map;
    const Tables* t = tables;
    g.for_each(n, [=](int i) {
      const Triple lab = rgb_to_lab(t, tile[i], tile[kPiecePixels + i], tile[2 * kPiecePixels + i]);
      const Triple drawn = lab_to_rgb(t, m(0, lab), m(1, lab), m(2, lab));
      tile[i] = static_cast<uint8_t>(drawn.v[0]);
      tile[kPiecePixels + i] = static_cast<uint8_t>(drawn.v[1]);
      tile[2 * kPiecePixels + i] = static_cast<uint8_t>(drawn.v[2]);
    });
  }

  /// Mixes n levels of what was drawn with the source. @param map [256]: replaces the drawn levels
  /// before; null: none does
  template <class Group>
  MT_HD void blend(Group& g, const int32_t* map, float share, const uint8_t* in, uint8_t* out,
                   int n) const {
    const float keep = 1.0f - share;
    // mosaicraft multiplies each cell by its feather mask and then divides by the same mask. That
    // feathers nothing, but the quotient is slightly below the value and is truncated to the next
    // lower level.
    const int32_t decrement = look.feather ? 1 : 0;
    const auto blended = [=](int32_t level, int i) {
      const int32_t mixed = mix(level, in[i], keep, share) - decrement;
      return static_cast<uint8_t>(mixed < 0 ? 0 : mixed);
    };
    if (map)
      g.for_each(n, [=](int i) { out[i] = blended(map[out[i]], i); });
    else
      g.for_each(n, [=](int i) { out[i] = blended(out[i], i); });
  }
};

}  // namespace mt
