// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/run/small_cells.h"

#include <cmath>
#include <cstdio>

#include "gst/pointers.h"

namespace mosaic_program {
namespace {

using mosaic_gst::Owned;

constexpr double kSmallest = 4;  // pixels

}  // namespace

std::string warning_of_small_cells(GstElement* mosaic) {
  GstStructure* structure = nullptr;
  gchar* text = nullptr;
  guint tile_size = 0, cells = 0;
  int width = 0, height = 0;
  g_object_get(mosaic, "stats", &structure, "size", &text, "tile-size", &tile_size, nullptr);
  const Owned<GstStructure> stats(structure);
  const Owned<gchar> size(text);
  gst_structure_get(stats.get(), "width", G_TYPE_INT, &width, "height", G_TYPE_INT, &height,
                    "cells", G_TYPE_UINT, &cells, nullptr);
  if (cells == 0) return {};
  // Unless a grid was asked for, cells are about as wide as high.
  double across = std::sqrt(static_cast<double>(width) * height / cells), down = across;
  unsigned columns = 0, rows = 0;
  if (tile_size == 0 && std::sscanf(size.get(), "%ux%u", &columns, &rows) == 2 && columns && rows) {
    across = static_cast<double>(width) / columns;
    down = static_cast<double>(height) / rows;
  }
  if (across >= kSmallest && down >= kSmallest) return {};
  char warning[160];
  std::snprintf(
      warning, sizeof warning,
      "cells of %.1f x %.1f pixels show nothing of the photos; use fewer cells (--size) or a "
      "larger output (--output-size)",
      across, down);
  return warning;
}

}  // namespace mosaic_program
