// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/options/first_look.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace mosaic_program {
namespace {

// These were chosen by looking at mosaics of films, portraits and posters: see docs/decisions.md,
// "A first run".
constexpr char kFirstLook[] = "faithful";
constexpr int64_t kFewestCells = 2304;  // 64x36 of a film at 720p: faces are recognised
constexpr int64_t kMostCells = 3600;  // 80x45 at 1080p; more take too long for each frame of a film
constexpr int64_t kCellSide = 24;     // pixels of the mosaic, between the two
constexpr int64_t kPosterCellSide = 64;  // the same of a poster: each cell is seen as a photo
constexpr int64_t kMostPosterCells = 8000;
constexpr int64_t kSmallestCellSide = 8;  // pixels of the source; the element makes none smaller

bool is_given(const Options& options, std::initializer_list<std::string_view> names) {
  return std::any_of(options.properties.begin(), options.properties.end(), [&](const auto& given) {
    return std::find(names.begin(), names.end(), given.first) != names.end();
  });
}

/// How many squares of that side a picture has.
int64_t squares_in(const OutputSize& size, int64_t side) {
  return int64_t{size.width} * size.height / (side * side);
}

int64_t cells_for(const Picture& picture) {
  const OutputSize input{picture.size.width, picture.size.height};
  const OutputSize drawn =
      picture.drawn.width > 0 && picture.drawn.height > 0 ? picture.drawn : input;
  int64_t cells = kFewestCells;
  if (!picture.live) cells = std::clamp(squares_in(drawn, kCellSide), kFewestCells, kMostCells);
  if (picture.still)
    cells = std::clamp(squares_in(drawn, kPosterCellSide), cells, kMostPosterCells);
  const bool known = input.width > 0 && input.height > 0;
  return known ? std::clamp(squares_in(input, kSmallestCellSide), int64_t{1}, cells) : cells;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> first_look(const Options& options,
                                                            const Picture& picture) {
  std::vector<std::pair<std::string, std::string>> properties;
  if (!is_given(options, {"profile-name"})) properties.emplace_back("profile-name", kFirstLook);
  if (!is_given(options, {"size", "tile-size"}))
    properties.emplace_back("size", std::to_string(cells_for(picture)));
  return properties;
}

}  // namespace mosaic_program
