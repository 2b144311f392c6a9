// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/finishing.h"

#include <algorithm>
#include <cmath>

#include "kernels/finishing/curve.h"
#include "kernels/finishing/equalise.h"
#include "kernels/finishing/tone.h"
#include "kernels/views.h"
#include "mosaic/drawing/grading.h"

namespace mosaic {
namespace {

constexpr int kMaxClaheTiles = 64;

/// Gamma, then the shadow lift; each result is truncated to a whole level.
int32_t curve_at(int v, const Look& look) {
  if (look.gamma != 1) v = static_cast<int>(std::pow(v / 255.0, look.gamma) * 255);
  const float lift = static_cast<float>(look.shadow_lift);
  const float f = static_cast<float>(v);
  return static_cast<int32_t>(std::clamp(f + lift * (1.0f - f / 255.0f), 0.0f, 255.0f));
}

mt::EqualiseGrid divide(int width, int height, const Look& look) {
  mt::EqualiseGrid grid{};
  const int tiles = std::clamp(look.local_contrast_grid, 1, kMaxClaheTiles);
  grid.tiles = tiles;
  // As in OpenCV: unless both sides are multiples of `tiles`, tiles are a pixel larger both ways,
  // even along a side that is a multiple.
  const bool whole = width % tiles == 0 && height % tiles == 0;
  grid.tile_width = whole ? width / tiles : width / tiles + 1;
  grid.tile_height = whole ? height / tiles : height / tiles + 1;
  const int pixels = grid.tile_width * grid.tile_height;
  grid.clip = std::max(static_cast<int>(look.local_contrast_clip * pixels / 256), 1);
  return grid;
}

}  // namespace

Finishing::Finishing(int width, int height, int max_parts,
                     const std::shared_ptr<mt::Executor>& executor)
    : width_(width),
      height_(height),
      executor_(executor),
      lab_(width, height, executor),
      equalised_(width, height, executor),
      curve_(executor, 256),
      tile_curves_(executor, kMaxClaheTiles * kMaxClaheTiles * 256),
      average_curves_(executor, tile_curves_.size()),
      part_list_(executor, std::max(max_parts, 1)) {
  for (int i = 0; i < 256; ++i) curve_[i] = i;
}

bool Finishing::wanted(const Look& look) {
  const Look none;
  return look.gamma != none.gamma || look.shadow_lift != none.shadow_lift ||
         look.local_contrast_clip > 0 || look.vibrance > 0 || look.cool() != 1 ||
         look.warm() != 1 || look.contrast_boost != 1 || look.color_harmony > 0 ||
         look.sharpness > 0;
}

mt::Planes Finishing::apply(const mt::Planes& from, const Look& look, double newest) {
  const mt::CellRect whole{0, 0, width_, height_};
  return apply(from, look, newest, {&whole, 1});
}

mt::Planes Finishing::apply(const mt::Planes& from, const Look& look, double newest,
                            std::span<const mt::CellRect> parts) {
  return apply(from, look, newest, nullptr, parts);
}

mt::Planes Finishing::apply(const mt::Planes& from, const Look& look, const Part& of,
                            std::span<const mt::CellRect> parts) {
  return apply(from, look, 1, &of, parts);
}

mt::Planes Finishing::apply(const mt::Planes& from, const Look& look, double newest, const Part* of,
                            std::span<const mt::CellRect> parts) {
  std::copy(parts.begin(), parts.end(), part_list_.data());
  parts_ = {{part_list_.data(), 1}, static_cast<int>(parts.size())};
  for (const mt::CellRect& part : parts)
    parts_.rows.height = std::max(parts_.rows.height, part.height);
  if (look != look_) newest = 1;  // statistics with another look are of no use
  if (look.gamma != look_.gamma || look.shadow_lift != look_.shadow_lift) {
    executor_->wait();  // for kernels that still read the curve
    for (int i = 0; i < 256; ++i) curve_[i] = curve_at(i, look);
  }
  look_ = look;
  const mt::Planes toned =
      look.local_contrast_clip > 0 ? equalise(from, look, newest, of) : curve(from);
  if (look.fidelity > 0) {
    if (!quick_) quick_.emplace(width_, height_, executor_);
    return quick_->apply(toned, look, newest, of ? &*of->whole.quick_ : nullptr, parts_);
  }
  if (!exact_) exact_.emplace(width_, height_, executor_);
  return exact_->apply(toned, look, newest, of ? &*of->whole.exact_ : nullptr, parts_);
}

/// Replaces equalise() in looks without local contrast: the tone curve alone.
mt::Planes Finishing::curve(const mt::Planes& from) {
  parts_.launch(
      *executor_,
      mt::Curve{.rows = {}, .curve = curve_.data(), .from = from, .to = equalised_.planes()});
  return equalised_.planes();
}

mt::Planes Finishing::equalise(const mt::Planes& from, const Look& look, double newest,
                               const Part* of) {
  const mt::EqualiseGrid grid =
      of ? divide(of->size.width, of->size.height, look) : divide(width_, height_, look);
  const mt::Tables* tables = executor_->tables();
  parts_.launch(
      *executor_,
      mt::Tone{
          .rows = {}, .tables = tables, .curve = curve_.data(), .from = from, .to = lab_.planes()});
  if (!of)
    executor_->launch(mt::EqualiseCurves{.grid = grid,
                                         .from = lab_.planes(),
                                         .curves = tile_curves_.data(),
                                         .average = average_curves_.data(),
                                         .newest = static_cast<int32_t>(
                                             std::lround(newest * (1 << mt::kNewestBits)))},
                      grid.tiles * grid.tiles);
  parts_.launch(*executor_, mt::Equalise{.rows = {},
                                         .tables = tables,
                                         .grid = grid,
                                         .curves = (of ? of->whole : *this).tile_curves_.data(),
                                         .from = lab_.planes(),
                                         .to = equalised_.planes(),
                                         .strength = static_cast<float>(local_strength(look)),
                                         .left = of ? of->left : 0,
                                         .top = of ? of->top : 0});
  return equalised_.planes();
}

}  // namespace mosaic
