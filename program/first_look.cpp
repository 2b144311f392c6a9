// SPDX-License-Identifier: LGPL-2.1-or-later
#include "program/first_look.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace mosaic_program {
namespace {

// These were chosen by looking at mosaics of films, portraits and posters: see docs/decisions.md,
// "A first run".
constexpr char kLook[] = "faithful";
constexpr int64_t kCells = 2304;         // 64x36 of a film: faces are recognised
constexpr int64_t kPosterCells = 8000;   // more are too small to be seen as photos on paper
constexpr int64_t kPosterCellSide = 64;  // pixels: a poster is given more cells, not larger ones
constexpr int64_t kSmallestSide = 8;     // pixels of the source: the element makes none smaller

bool is_given(const Options& options, std::initializer_list<std::string_view> names) {
  return std::any_of(options.properties.begin(), options.properties.end(), [&](const auto& given) {
    return std::find(names.begin(), names.end(), given.first) != names.end();
  });
}

int64_t area(const Size& size) {
  return int64_t{size.width} * size.height;
}

int64_t cells_for(const Options& options, const Picture& picture) {
  int64_t cells = kCells;
  const int64_t drawn = area(options.output_size.value_or(picture.size));
  if (picture.still)
    cells = std::clamp(drawn / (kPosterCellSide * kPosterCellSide), kCells, kPosterCells);
  const int64_t seen = area(picture.size);
  if (seen > 0) cells = std::clamp(seen / (kSmallestSide * kSmallestSide), int64_t{1}, cells);
  return cells;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> first_look(const Options& options,
                                                            const Picture& picture) {
  std::vector<std::pair<std::string, std::string>> properties;
  if (!is_given(options, {"profile-name"})) properties.emplace_back("profile-name", kLook);
  if (!is_given(options, {"size", "tile-size"}))
    properties.emplace_back("size", std::to_string(cells_for(options, picture)));
  return properties;
}

}  // namespace mosaic_program
