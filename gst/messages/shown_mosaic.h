// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <glib.h>

#include <memory>
#include <optional>

#include "mosaic/engine/engine.h"

namespace mosaic_gst {

/// Immutable int32 values in native byte order, shared by buffers, messages and threads.
using SharedInts = std::shared_ptr<GBytes>;

/// The tiles of the last frame that was drawn. Copies share the arrays; update() replaces arrays
/// and never changes them.
struct ShownMosaic {
  mosaic::Grid grid;
  std::shared_ptr<const mosaic::Pool> pool;  ///< null: nothing has been drawn
  /// [columns + 1], [rows + 1]: output pixel at which each column (row) begins; then the pixel
  /// where the last one ends.
  SharedInts x, y;
  SharedInts tile, photo, age;  ///< [rows][columns]; see Engine::ages() for age

  /// Takes the mosaic of the engine's last frame, which uses the pool `from`. Arrays that have not
  /// changed are kept.
  void update(const mosaic::Engine& engine, const std::shared_ptr<const mosaic::Pool>& from);

  struct Cell {
    int column, row, tile, photo;
  };
  /// The cell at a point of the output, in pixels, with its tile and photo; nullopt outside the
  /// picture or before the first frame.
  std::optional<Cell> at(double x, double y) const;
};

/// The value of the property `photos`; null: nothing has been drawn.
gchar** photo_names(const ShownMosaic& shown);

}  // namespace mosaic_gst
