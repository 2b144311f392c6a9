// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mosaic {

/// The shape of a pixel, a cell or a photo on the display: width : height, in any unit.
struct Shape {
  int width = 1, height = 1;  ///< at least 1
  bool operator==(const Shape&) const = default;
};

/// Reads a shape of cells: WIDTH:HEIGHT or WIDTH/HEIGHT, in lowest terms each from 1 to 255 and
/// neither more than four times the other. @return in lowest terms; nullopt: it is no such shape
std::optional<Shape> read_cell_shape(std::string_view text);

/// A shape of cells as packs and streams have it: width and height; both 0: a square.
using ShapeBytes = std::array<uint8_t, 2>;
/// @param shape that read_cell_shape() may return
ShapeBytes bytes_of(Shape shape);
/// @return nullopt: bytes_of() makes no such bytes
std::optional<Shape> read_shape(ShapeBytes bytes);

}  // namespace mosaic
