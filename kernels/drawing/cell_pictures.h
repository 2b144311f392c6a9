// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Small pictures of what the source shows in cells, and the source made of them again: with these
/// a mosaic can be drawn where the source is not known.
#pragma once

#include "kernels/drawing/draw.h"
#include "kernels/kernel_list.h"
#include "kernels/views.h"

namespace mt {

inline constexpr int kCellPictureSide = 4;  ///< pixels
inline constexpr int kCellPicturePixels = kCellPictureSide * kCellPictureSide;

/// R, G, B.
struct CellPicture {
  uint8_t plane[3][kCellPicturePixels];
  bool operator==(const CellPicture&) const = default;
};

/// Makes the pictures of some cells: each pixel is the mean of a part of the cell, rounded. Index:
/// entry of `cells`.
struct ShrinkCells {
  static constexpr KernelId kId = KernelId::kShrinkCells;
  const int32_t* cells;   ///< [count]
  const uint8_t* pixels;  ///< [all cells][3: R, G, B][side][side]
  int32_t side;           ///< of a cell, kCellPictureSide..256 pixels
  CellPicture* pictures;  ///< [count], written

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const int s = side;
    const uint8_t* from = pixels + static_cast<int64_t>(cells[index]) * 3 * s * s;
    CellPicture* to = pictures + index;
    g.for_each(3, kCellPicturePixels, [=](int plane, int i) {
      const int x = i % kCellPictureSide, y = i / kCellPictureSide;
      const int x0 = begin(x, s), x1 = begin(x + 1, s), y0 = begin(y, s), y1 = begin(y + 1, s);
      int32_t sum = 0;
      for (int v = y0; v < y1; ++v)
        for (int u = x0; u < x1; ++u) sum += from[(plane * s + v) * s + u];
      const int32_t area = (x1 - x0) * (y1 - y0);
      to->plane[plane][i] = static_cast<uint8_t>((sum + area / 2) / area);
    });
  }

 private:
  static MT_HD int begin(int part, int side) { return part * side / kCellPictureSide; }
};

/// Enlarges the pictures of cells to the cells of a source picture: bilinearly between the centres
/// of their pixels, and beyond the outer ones as these are. Index: entry of `paint`.
struct EnlargeCells {
  static constexpr KernelId kId = KernelId::kEnlargeCells;
  const CellPaint* paint;       ///< [count]
  const CellPicture* pictures;  ///< [all cells]
  Planes source;                ///< written

 private:
  /// Where a row or column of a cell lies between the centres of two of its picture, in 1/256.
  struct Between {
    int32_t first, second, share;
    MT_HD int32_t operator()(int32_t a, int32_t b) const { return (a << 8) + (b - a) * share; }
  };
  static constexpr int kPart = 256;  ///< rows and columns of a cell that are enlarged at once

 public:
  static constexpr int kShared = 2 * shared_block<Between>(kPart);

  template <class Group>
  MT_HD void operator()(Group& g, int index) const {
    const CellRect at = paint[index].at, r = clipped(at, source);
    const CellPicture* picture = pictures + paint[index].cell;
    Between* rows = g.template shared<Between>(kPart);
    Between* columns = g.template shared<Between>(kPart);
    for (int y = 0; y < r.height; y += kPart)
      for (int x = 0; x < r.width; x += kPart) {
        const CellRect part{r.x + x, r.y + y, r.width - x < kPart ? r.width - x : kPart,
                            r.height - y < kPart ? r.height - y : kPart};
        g.for_each(part.height, [=](int i) { rows[i] = between(part.y - at.y + i, at.height); });
        g.for_each(part.width, [=](int i) { columns[i] = between(part.x - at.x + i, at.width); });
        g.sync();
        enlarge(g, *picture, part, rows, columns);
        g.sync();
      }
  }

 private:
  static MT_HD Between between(int pixel, int side) {
    constexpr int kLast = (kCellPictureSide - 1) << 8;
    const int64_t centre = (2 * int64_t{pixel} + 1) * (kCellPictureSide << 7) / side - (1 << 7);
    const auto at = static_cast<int32_t>(centre < 0 ? 0 : centre > kLast ? kLast : centre);
    const int32_t first = at >> 8;
    return {first, first + 1 < kCellPictureSide ? first + 1 : first, at & 255};
  }

  template <class Group>
  MT_HD void enlarge(Group& g, const CellPicture& picture, const CellRect& part,
                     const Between* rows, const Between* columns) const {
    const int64_t stride = source.stride;
    for (int plane = 0; plane < 3; ++plane) {
      const uint8_t* from = picture.plane[plane];
      uint8_t* out = source.plane[plane] + part.y * stride + part.x;
      g.for_each(part.height, part.width, [=](int y, int x) {
        const Between across = columns[x], down = rows[y];
        const uint8_t* above = from + down.first * kCellPictureSide;
        const uint8_t* below = from + down.second * kCellPictureSide;
        const int32_t sum = down(across(above[across.first], above[across.second]),
                                 across(below[across.first], below[across.second]));
        out[y * stride + x] = static_cast<uint8_t>((sum + (1 << 15)) >> 16);
      });
    }
  }
};

}  // namespace mt
