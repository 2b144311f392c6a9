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

}  // namespace

std::optional<Shape> read_cell_shape(std::string_view text) {
  const size_t between = text.find_first_of(":/");
  if (between == text.npos) return {};
  Shape shape{read_number(text.substr(0, between)), read_number(text.substr(between + 1))};
  if (shape.width == 0 || shape.height == 0) return {};
  const int divisor = std::gcd(shape.width, shape.height);
  shape = {shape.width / divisor, shape.height / divisor};
  const auto [least, most] = std::minmax(shape.width, shape.height);
  if (most > kMost || most > kMostUnequal * least) return {};
  return shape;
}

}  // namespace mosaic
