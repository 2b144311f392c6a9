// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bench/gates.h"

#include <cstdlib>

namespace bench {
namespace {

constexpr double kDrift = 6, kLightnessDrift = 8, kGain = 0.90;

int32_t lightness_of(const int32_t* rgb) {
  return rgb[0] + rgb[1] + rgb[2];
}

}  // namespace

Gates::Gates(const mosaic::Grid& grid)
    : cells_(grid.cells()),
      pixels_(grid.side * grid.side),
      recorded_colour_(size_t{3} * cells_),
      lightness_(cells_) {}

void Gates::record_colour(const mosaic::AnalysedCells& analysis, int cell) {
  for (int i = 0; i < 3; ++i)
    recorded_colour_[size_t{3} * cell + i] = analysis.stats()[cell].rgb[i];
}

void Gates::reset(const mosaic::AnalysedCells& analysis, const std::vector<int32_t>& tiles) {
  tile_ = tiles;
  for (int cell = 0; cell < cells_; ++cell) {
    record_colour(analysis, cell);
    lightness_[cell] = lightness_of(analysis.stats()[cell].rgb);
  }
}

bool Gates::may_change(const mosaic::AnalysedCells& analysis, int cell) const {
  const int32_t lightness = lightness_of(analysis.stats()[cell].rgb);
  return analysis.drift(cell, &recorded_colour_[size_t{3} * cell]) > kDrift ||
         std::abs(lightness - lightness_[cell]) > kLightnessDrift * 3 * pixels_;
}

void Gates::update(const Source& source) {
  used_.assign(source.tiles(), 0);
  for (int32_t tile : tile_) used_[tile] = 1;
  costs_.resize(source.tiles());
  const mosaic::AnalysedCells& analysis = source.analysis();
  for (int cell = 0; cell < cells_; ++cell) {
    if (!may_change(analysis, cell)) continue;
    record_colour(analysis, cell);
    source.costs(cell, costs_.data());
    int best = -1;
    for (int t = 0; t < source.tiles(); ++t)
      if (!used_[t] && (best < 0 || costs_[t] < costs_[best])) best = t;
    if (best < 0 || costs_[best] >= kGain * costs_[tile_[cell]]) continue;
    used_[tile_[cell]] = 0;
    used_[best] = 1;
    tile_[cell] = best;
    lightness_[cell] = lightness_of(analysis.stats()[cell].rgb);
  }
}

}  // namespace bench
