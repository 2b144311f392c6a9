// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/base/shape.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <system_error>

namespace mosaic {
namespace {

constexpr int kMost = 255;       // a byte each in files
constexpr int kMostUnequal = 4;  // the longer side, in shorter ones

/// The number that the whole text is; 0: it is none above 0.
int read_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && number > 0 ? number : 0;
}

bool fits_cells(const Shape& shape) {
  const auto [least, most] = std::minmax(shape.width, shape.height);
  return least > 0 && most <= kMost && most <= kMostUnequal * least;
}

}  // namespace

std::optional<Shape> read_cell_shape(std::string_view text) {
  const size_t between = text.find_first_of(":/");
  if (between == text.npos) return {};
  Shape shape{read_number(text.substr(0, between)), read_number(text.substr(between + 1))};
  if (shape.width == 0 || shape.height == 0) return {};
  const int divisor = std::gcd(shape.width, shape.height);
  shape = {shape.width / divisor, shape.height / divisor};
  if (!fits_cells(shape)) return {};
  return shape;
}

ShapeBytes bytes_of(Shape shape) {
  if (shape == Shape{}) return {0, 0};
  return {static_cast<uint8_t>(shape.width), static_cast<uint8_t>(shape.height)};
}

std::optional<Shape> read_shape(ShapeBytes bytes) {
  if (bytes == ShapeBytes{0, 0}) return Shape{};
  const Shape shape{bytes[0], bytes[1]};
  if (!fits_cells(shape) || std::gcd(shape.width, shape.height) > 1 || shape == Shape{}) return {};
  return shape;
}

}  // namespace mosaic
