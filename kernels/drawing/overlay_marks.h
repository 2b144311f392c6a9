// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "kernels/group.h"
#include "kernels/kernel_list.h"
#include "kernels/views.h"

namespace mt {

/// The marks of one cell.
struct CellMark {
  CellRect at;                 ///< the part of the cell that lies in the picture
  uint8_t tint[3];             ///< R, G, B
  uint8_t has_border;          ///< not 0: a border is drawn
  int32_t motion_x, motion_y;  ///< where a line from the centre ends, pixels from it; 0, 0: none
  uint8_t motion_colour[3];    ///< R, G, B
  uint8_t reserved;
};

/// Copies a picture and draws marks on its cells. Index: cell.
struct Overlay {
  static constexpr KernelId kId = KernelId::kOverlay;
  const CellMark* marks;      ///< [cells], without overlap, covering the picture
  Planes from, to;            ///< of the same size, without overlap
  int32_t tint_share;         ///< share of the tint in the picture, 0..256
  int32_t line;               ///< width of the line along the left and upper edge of a cell, pixels
  int32_t border;             ///< width of the border of marked cells, pixels
  int32_t motion_half_width;  ///< w: motion lines are 2 w + 1 pixels wide, their dot at the centre
                              ///< 4 w + 3
  uint8_t line_colour[3], border_colour[3];  ///< R, G, B

  template <class Group>
  MT_HD void operator()(Group& g, int cell) const {
    const CellMark mark = marks[cell];
    const CellRect r = mark.at;
    const int64_t in_pitch = from.stride, out_pitch = to.stride;
    const int lines = line, borders = mark.has_border ? border : 0, keep = 256 - tint_share;
    for (int i = 0; i < 3; ++i) {
      const uint8_t* in = from.plane[i] + r.y * in_pitch + r.x;
      uint8_t* out = to.plane[i] + r.y * out_pitch + r.x;
      const int tint = mark.tint[i] * tint_share + 128;
      const uint8_t on_line = line_colour[i], on_border = border_colour[i];
      g.for_each(r.height, r.width, [=](int y, int x) {
        const int tinted = (in[y * in_pitch + x] * keep + tint) >> 8;
        const bool in_border =
            x < borders || y < borders || r.width - 1 - x < borders || r.height - 1 - y < borders;
        out[y * out_pitch + x] = in_border                ? on_border
                                 : x < lines || y < lines ? on_line
                                                          : static_cast<uint8_t>(tinted);
      });
    }
    if (mark.motion_x || mark.motion_y) draw_motion(g, mark);
  }

 private:
  /// Draws the motion line and its dot over the other marks.
  template <class Group>
  MT_HD void draw_motion(Group& g, const CellMark& mark) const {
    g.sync();
    const CellRect r = mark.at;
    const int64_t pitch = to.stride, to_x = mark.motion_x, to_y = mark.motion_y,
                  wide = 2 * motion_half_width + 1;
    const int64_t length = to_x * to_x + to_y * to_y, dot = wide;
    for (int i = 0; i < 3; ++i) {
      uint8_t* out = to.plane[i] + r.y * pitch + r.x;
      const uint8_t colour = mark.motion_colour[i];
      g.for_each(r.height, r.width, [=](int y, int x) {
        const int64_t u = x - r.width / 2, v = y - r.height / 2;
        const int64_t along = u * to_x + v * to_y, across = u * to_y - v * to_x;
        const bool on_dot = u <= dot && u >= -dot && v <= dot && v >= -dot;
        const bool on_line =
            along >= 0 && along <= length && 4 * across * across <= wide * wide * length;
        if (on_dot || on_line) out[y * pitch + x] = colour;
      });
    }
  }
};

}  // namespace mt
