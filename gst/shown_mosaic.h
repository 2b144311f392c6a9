// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <glib.h>

#include <memory>
#include <optional>

#include "mosaic/engine.h"

namespace mosaic_gst {

/// int32 in the machine's byte order, which buffers, messages and threads share and nobody changes.
using SharedInts = std::shared_ptr<GBytes>;

/// What stands where in the last frame that was drawn. A copy shares all of it, and stays as it is.
struct ShownMosaic {
  mosaic::Grid grid;
  std::shared_ptr<const mosaic::Pool> pool;  ///< null: nothing has been drawn
  /// [columns + 1], [rows + 1]: output pixel at which a column (row) begins, and the last one ends.
  SharedInts x, y;
  SharedInts tile, photo, age;  ///< [rows][columns]; age as Engine::ages()

  /// Takes what the engine drew last. What is the same as before is kept.
  void update(const mosaic::Engine& engine, const std::shared_ptr<const mosaic::Pool>& from);

  struct Place {
    int column, row, tile, photo;
  };
  /// What stands at a point of the output, in pixels; nullopt outside of the picture, or without
  /// one.
  std::optional<Place> at(double x, double y) const;
};

/// The value of the property `photos`; null: nothing has been drawn.
gchar** photo_names(const ShownMosaic& shown);

}  // namespace mosaic_gst
