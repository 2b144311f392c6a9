// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/base/grid.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>

#include "mosaic/base/error.h"

namespace mosaic {
namespace {

constexpr int kSmallestSide = 8;
constexpr int kLargestSide = 256;
constexpr int kMaxCells = 16384;  // along one axis
// Above all pixel aspect ratios in use. It bounds the memory that tiles take if their cells are not
// square in pixels.
constexpr int kMaxPixelAspect = 16;
constexpr int64_t kMaxTileSide = 16384;

int divide_up(int64_t a, int64_t b) {
  return static_cast<int>((a + b - 1) / b);
}

int64_t cell_count(int width, int height, int side) {
  return static_cast<int64_t>(divide_up(width, side)) * divide_up(height, side);
}

/// The side whose cell count is nearest to `wanted`; of two equally near, the larger. It is no
/// larger than the frame: larger cells would only show less of the photo.
int side_for(int width, int height, int64_t wanted) {
  const int largest = std::clamp(std::max(width, height), kSmallestSide, kLargestSide);
  int best = largest;
  int64_t best_off = INT64_MAX;
  for (int side = largest; side >= kSmallestSide; --side) {
    const int64_t off = std::abs(cell_count(width, height, side) - wanted);
    if (off < best_off) {
      best = side;
      best_off = off;
    }
  }
  return best;
}

/// Reads a number from 1 to `most` at `*text`, which moves past it; 0 if there is none.
int64_t parse_number(const char** text, int64_t most) {
  if (**text < '0' || **text > '9') return 0;
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(*text, &end, 10);
  *text = end;
  return errno == 0 && value <= most ? value : 0;
}

[[noreturn]] void refuse(const std::string& size) {
  throw Error(Error::Kind::kSettings, "size \"" + size + "\" is not a valid number of cells",
              "use an approximate number of cells (\"700\"), or an exact grid, COLUMNSxROWS "
              "(\"48x27\"), of at most 16384 in each direction");
}

struct Size {
  int64_t cells = 0;  ///< 0: columns x rows are given
  int columns = 0, rows = 0;
};

Size parse_size(const std::string& size) {
  const char* text = size.c_str();
  Size parsed;
  const int64_t first = parse_number(&text, int64_t{kMaxCells} * kMaxCells);
  if (first == 0) refuse(size);
  if (*text == '\0') {
    parsed.cells = first;
    return parsed;
  }
  if (*text != 'x' && *text != 'X') refuse(size);
  ++text;
  const int64_t second = parse_number(&text, kMaxCells);
  if (second == 0 || first > kMaxCells || *text != '\0') refuse(size);
  parsed.columns = static_cast<int>(first);
  parsed.rows = static_cast<int>(second);
  return parsed;
}

void set_exact_cells(Grid& grid, const Size& size) {
  // A column narrower than a pixel shows nothing.
  grid.columns = std::min({size.columns, grid.in_width, grid.out_width});
  grid.rows = std::min({size.rows, grid.in_height, grid.out_height});
  const int covering =
      std::max(divide_up(grid.in_width, grid.columns), divide_up(grid.in_height, grid.rows));
  if (covering > kLargestSide)
    throw Error(Error::Kind::kSettings,
                "a grid of " + std::to_string(size.columns) + "x" + std::to_string(size.rows) +
                    " makes cells of " + std::to_string(covering) + " pixels, more than 256",
                "use more columns and rows");
  grid.side = std::max(covering, kSmallestSide);
  grid.analysed = {grid.columns * grid.side, grid.rows * grid.side};
}

/// The shape that pixels must have for cells to be square on the display.
Shape for_square_cells(const Shape& pixel, const Shape& cell) {
  const auto is_shape = [](const Shape& s) { return s.width >= 1 && s.height >= 1; };
  const Shape p = is_shape(pixel) ? pixel : Shape{}, c = is_shape(cell) ? cell : Shape{};
  int64_t width = int64_t{p.width} * c.height, height = int64_t{p.height} * c.width;
  const int64_t divisor = std::gcd(width, height);
  width /= divisor, height /= divisor;
  if (width / kMaxPixelAspect >= height) return {kMaxPixelAspect, 1};
  if (height / kMaxPixelAspect >= width) return {1, kMaxPixelAspect};
  for (; std::max(width, height) > INT32_MAX; width /= 2, height /= 2) {
  }
  return {static_cast<int>(width), static_cast<int>(height)};
}

/// n * numerator / denominator, rounded, at least 1.
int64_t scaled(int64_t n, int64_t numerator, int64_t denominator) {
  return std::max<int64_t>((2 * n * numerator + denominator) / (2 * denominator), 1);
}

void set_square_cells(Grid& grid, unsigned tile_size, const Size& size, const Shape& aspect) {
  // Reducing the frame, never enlarging it, keeps the analysis as cheap as with square pixels.
  grid.analysed = {grid.in_width, grid.in_height};
  if (aspect.width > aspect.height)
    grid.analysed.height = static_cast<int>(scaled(grid.in_height, aspect.height, aspect.width));
  else
    grid.analysed.width = static_cast<int>(scaled(grid.in_width, aspect.width, aspect.height));
  grid.side = tile_size ? std::clamp(static_cast<int>(std::min(tile_size, 256u)), kSmallestSide,
                                     kLargestSide)
                        : side_for(grid.analysed.width, grid.analysed.height, size.cells);
  grid.columns = divide_up(grid.analysed.width, grid.side);
  grid.rows = divide_up(grid.analysed.height, grid.side);
}

/// The size that tiles are prepared at: in their shape, it covers the largest cell.
mt::PixelSize tile_size_for(const Grid& grid, const Shape& aspect) {
  int64_t width = kSmallestSide, height = kSmallestSide;
  for (int c = 0; c < grid.columns; ++c)
    width = std::max<int64_t>(width, grid.out_x(c + 1) - grid.out_x(c));
  for (int r = 0; r < grid.rows; ++r)
    height = std::max<int64_t>(height, grid.out_y(r + 1) - grid.out_y(r));
  const int64_t wide = std::min(scaled(height, aspect.height, aspect.width), kMaxTileSide);
  const int64_t high = std::min(scaled(width, aspect.width, aspect.height), kMaxTileSide);
  return {static_cast<int>(std::max(width, wide)), static_cast<int>(std::max(height, high))};
}

/// Where the output is thousands of times as large as the input, so are its cells.
void check_draw_size(const Grid& grid) {
  const auto [width, height] = grid.draw_size;
  if (std::max(width, height) <= kMaxTileSide) return;
  const auto size = [](int w, int h) { return std::to_string(w) + "x" + std::to_string(h); };
  throw Error(Error::Kind::kSettings,
              "frames of " + size(grid.in_width, grid.in_height) + " shown at " +
                  size(grid.out_width, grid.out_height) + " have cells of " + size(width, height) +
                  " pixels, more than " + std::to_string(kMaxTileSide),
              "use larger frames, or a smaller output");
}

int64_t floor_divide(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

}  // namespace

int Grid::left() const {
  return -((columns * side - analysed.width) / 2);
}
int Grid::top() const {
  return -((rows * side - analysed.height) / 2);
}

int Grid::out_x(int c) const {
  const int64_t whole = whole_width ? whole_width : out_width;
  return static_cast<int>(floor_divide((int64_t{c} * side + left()) * whole, analysed.width)) -
         part_x;
}

int Grid::out_y(int r) const {
  const int64_t whole = whole_height ? whole_height : out_height;
  return static_cast<int>(floor_divide((int64_t{r} * side + top()) * whole, analysed.height)) -
         part_y;
}

mt::CellRect Grid::out_rect(int cell) const {
  const int c = cell % columns, r = cell / columns;
  const int x = out_x(c), y = out_y(r);
  return {x, y, out_x(c + 1) - x, out_y(r + 1) - y};
}

void merge_cells(const Grid& grid, std::span<const int32_t> cells,
                 std::vector<mt::CellRect>& parts) {
  parts.clear();
  mt::Planes frame{};
  frame.width = grid.out_width;
  frame.height = grid.out_height;
  int next = -1;  // the cell that would continue the last part
  for (const int32_t cell : cells) {
    const mt::CellRect rect = mt::clipped(grid.out_rect(cell), frame);
    if (cell == next)
      parts.back().width += rect.width;
    else
      parts.push_back(rect);
    next = (cell + 1) % grid.columns ? cell + 1 : -1;
  }
}

void check_size(const std::string& size) {
  parse_size(size);
}

std::string why_other_size(const Grid& grid, unsigned tile_size, const std::string& size) {
  if (tile_size != 0) return {};
  const Size wanted = parse_size(size);
  const auto off = [&](int side) {
    return std::abs(cell_count(grid.analysed.width, grid.analysed.height, side) - wanted.cells);
  };
  const auto is_nearer = [&](int from, int to) {
    for (int side = from; side <= to; ++side)
      if (off(side) < off(grid.side)) return true;
    return false;
  };
  std::string limit;
  if (wanted.cells == 0) {
    if (grid.columns == wanted.columns && grid.rows == wanted.rows) return {};
    limit = "no cell is smaller than a pixel";
  } else if (wanted.cells > grid.cells() && is_nearer(1, kSmallestSide - 1)) {
    limit = "no cell is smaller than " + std::to_string(kSmallestSide) + " pixels";
  } else if (wanted.cells < grid.cells() &&
             is_nearer(kLargestSide + 1, std::max(grid.analysed.width, grid.analysed.height))) {
    limit = "no cell is larger than " + std::to_string(kLargestSide) + " pixels";
  } else {
    return {};
  }
  return "size=" + size + " does not fit a frame of " + std::to_string(grid.in_width) + "x" +
         std::to_string(grid.in_height) + ": the mosaic has " + std::to_string(grid.columns) + "x" +
         std::to_string(grid.rows) + " cells, because " + limit;
}

Grid choose_grid(int in_width, int in_height, int out_width, int out_height, unsigned tile_size,
                 const std::string& size, Shape pixel, Shape cell) {
  Grid grid;
  grid.in_width = in_width;
  grid.in_height = in_height;
  grid.out_width = out_width;
  grid.out_height = out_height;
  const Size parsed = parse_size(size);
  const Shape aspect = for_square_cells(pixel, cell);
  if (tile_size == 0 && parsed.cells == 0)
    set_exact_cells(grid, parsed);
  else
    set_square_cells(grid, tile_size, parsed, aspect);
  grid.draw_size = tile_size_for(grid, aspect);
  check_draw_size(grid);
  return grid;
}

}  // namespace mosaic
