// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/finishing.h"

#include <algorithm>
#include <cmath>

#include "cuda/finishing/chroma.h"
#include "cuda/finishing/curve.h"
#include "cuda/finishing/equalise.h"
#include "cuda/finishing/frequency.h"
#include "cuda/finishing/grade.h"
#include "cuda/finishing/sharpen.h"
#include "cuda/finishing/tone.h"
#include "cuda/math/tables.h"
#include "cuda/views.h"

namespace mosaic {
namespace {

constexpr int kMaxClaheTiles = 64;

/// The Gaussian of standard deviation sigma over 15 taps, as OpenCV's getGaussianKernel has it, in
/// whole numbers whose sum is 2^kBlurBits.
mt::BlurWeights gaussian(double sigma) {
  double w[mt::kBlurReach + 1], sum = 0;
  for (int i = 0; i <= mt::kBlurReach; ++i) {
    w[i] = std::exp(-i * i / (2 * sigma * sigma));
    sum += i ? 2 * w[i] : w[i];
  }
  mt::BlurWeights weights;
  weights.at[0] = 1 << mt::kBlurBits;
  for (int i = 1; i <= mt::kBlurReach; ++i) {
    weights.at[i] = static_cast<int32_t>(std::lround(w[i] / sum * (1 << mt::kBlurBits)));
    weights.at[0] -= 2 * weights.at[i];
  }
  return weights;
}

/// Gamma, then the shadow lift; each result is truncated to a whole level.
int32_t curve_at(int v, const Look& look) {
  if (look.gamma != 1) v = static_cast<int>(std::pow(v / 255.0, look.gamma) * 255);
  const float lift = static_cast<float>(look.shadow_lift);
  const float f = static_cast<float>(v);
  return static_cast<int32_t>(std::clamp(f + lift * (1.0f - f / 255.0f), 0.0f, 255.0f));
}

/// Statistics of the whole picture look at a sixteenth of it where mosaicraft need not be followed
/// exactly.
int statistics_step(const Look& look) {
  return look.fidelity > 0 ? 4 : 1;
}

mt::EqualiseGrid divide(int width, int height, const Look& look, int step) {
  mt::EqualiseGrid grid{};
  const int tiles = std::clamp(look.local_contrast_grid, 1, kMaxClaheTiles);
  grid.tiles = tiles;
  // As in OpenCV: unless both sides are multiples of `tiles`, tiles are a pixel larger both ways,
  // even along a side that is a multiple.
  const bool whole = width % tiles == 0 && height % tiles == 0;
  grid.tile_width = whole ? width / tiles : width / tiles + 1;
  grid.tile_height = whole ? height / tiles : height / tiles + 1;
  const auto counted = [&] {
    return mt::samples(grid.tile_width, grid.step) * mt::samples(grid.tile_height, grid.step);
  };
  // A histogram of fewer pixels would be a matter of chance.
  constexpr int kMinCounted = 1024;
  for (grid.step = step; grid.step > 1 && counted() < kMinCounted;) grid.step /= 2;
  const int pixels = counted();
  grid.clip = std::max(static_cast<int>(look.local_contrast_clip * pixels / 256), 1);
  return grid;
}

mt::WidePlanes wide(mt::DeviceBuffer<uint16_t>& memory, const mt::Planes& like) {
  const size_t plane = static_cast<size_t>(like.stride) * like.height;
  uint16_t* first = memory.data();
  if (memory.size() < 3 * plane) return {{first, nullptr, nullptr}, like.stride};
  return {{first, first + plane, first + 2 * plane}, like.stride};
}

/// How far CLAHE and the amplification of detail are applied. They brighten dark flat cells and
/// give them contrast that the source does not have; with fidelity they do so less.
double local_strength(const Look& look) {
  return 1 - 0.8 * look.fidelity;
}

/// 128 + (1 + 0.03 strength) (low - 128) + (1 + 0.08 strength) (v - low), x 2^16.
mt::FrequencyGains frequency_gains(double strength) {
  const auto fixed = [=](double v) { return static_cast<int32_t>(std::lround(v * 65536)); };
  return {fixed(1 + 0.08 * strength), fixed(0.05 * strength), fixed(-128 * 0.03 * strength)};
}

}  // namespace

Finishing::Finishing(int width, int height, int max_parts,
                     const std::shared_ptr<mt::Executor>& executor)
    : width_(width),
      height_(height),
      lab_(width, height, executor),
      equalised_(width, height, executor),
      enhanced_(width, height, executor),
      graded_(width, height, executor),
      harmonised_(width, height, executor),
      sharpened_(width, height, executor),
      curve_(executor, 256),
      tile_curves_(executor, kMaxClaheTiles * kMaxClaheTiles * 256),
      average_curves_(executor, tile_curves_.size()),
      chroma_counts_(executor,
                     static_cast<size_t>(mt::kChromaBins) *
                         ((height + mt::ChromaCounts::kRows - 1) / mt::ChromaCounts::kRows)),
      blurred_(executor, static_cast<size_t>(lab_.planes().stride) * height * 3),
      skin_rows_(executor, blurred_.size() / 3),
      skin_(executor, blurred_.size() / 3),
      may_be_skin_(executor, blurred_.size() / 3),
      chroma_(executor, 1),
      sums_(executor, static_cast<size_t>(height) * mt::GradeSums::kSums),
      means_(executor, 1),
      parts_(executor, std::max(max_parts, 1)) {
  for (int i = 0; i < 256; ++i) curve_[i] = i;
}

mt::Planes Finishing::one_plane(mt::DeviceBuffer<uint8_t>& plane) {
  return {{plane.data(), nullptr, nullptr}, lab_.planes().stride, width_, height_};
}

bool Finishing::wanted(const Look& look) {
  const Look none;
  return look.gamma != none.gamma || look.shadow_lift != none.shadow_lift ||
         look.local_contrast_clip > 0 || look.vibrance > 0 || look.cool() != 1 ||
         look.warm() != 1 || look.contrast_boost != 1 || look.color_harmony > 0 ||
         look.sharpness > 0;
}

mt::Planes Finishing::apply(mt::Executor& executor, const mt::Planes& from, const Look& look,
                            double newest) {
  const mt::CellRect whole{0, 0, width_, height_};
  return apply(executor, from, look, newest, {&whole, 1});
}

mt::Planes Finishing::apply(mt::Executor& executor, const mt::Planes& from, const Look& look,
                            double newest, std::span<const mt::CellRect> parts) {
  std::copy(parts.begin(), parts.end(), parts_.data());
  part_count_ = static_cast<int>(parts.size());
  rows_ = {parts_.data(), 1};
  for (const mt::CellRect& part : parts) rows_.height = std::max(rows_.height, part.height);
  step_ = statistics_step(look);
  newest_ = look == look_ ? newest : 1;  // statistics with another look are of no use
  if (look.gamma != look_.gamma || look.shadow_lift != look_.shadow_lift) {
    executor.wait();  // for kernels that still read the curve
    for (int i = 0; i < 256; ++i) curve_[i] = curve_at(i, look);
  }
  look_ = look;
  const bool skin = look.skin_protection > 0 || look.skin_lum_protection > 0;
  const mt::Planes enhanced = look.local_contrast_clip > 0
                                  ? enhance(executor, equalise(executor, from, look), look, skin)
                                  : curve(executor, from, skin);
  return sharpen(executor, grade(executor, enhanced, look, skin), enhanced, look);
}

/// Replaces equalise() and enhance() in looks without local contrast: the tone curve alone.
mt::Planes Finishing::curve(mt::Executor& executor, const mt::Planes& from, bool skin) {
  launch_on_parts(executor, mt::Curve{{},
                                      executor.tables(),
                                      curve_.data(),
                                      from,
                                      enhanced_.planes(),
                                      skin ? may_be_skin_.data() : nullptr});
  return enhanced_.planes();
}

mt::Planes Finishing::equalise(mt::Executor& executor, const mt::Planes& from, const Look& look) {
  const mt::EqualiseGrid grid = divide(width_, height_, look, step_);
  const mt::Tables* tables = executor.tables();
  launch_on_parts(executor, mt::Tone{{}, tables, curve_.data(), from, lab_.planes()});
  executor.launch(
      mt::EqualiseCurves{grid, lab_.planes(), tile_curves_.data(), average_curves_.data(),
                         static_cast<int32_t>(std::lround(newest_ * (1 << mt::kNewestBits)))},
      grid.tiles * grid.tiles);
  launch_on_parts(executor, mt::Equalise{{},
                                         tables,
                                         grid,
                                         tile_curves_.data(),
                                         lab_.planes(),
                                         equalised_.planes(),
                                         static_cast<float>(local_strength(look))});
  return equalised_.planes();
}

mt::Planes Finishing::enhance(mt::Executor& executor, const mt::Planes& from, const Look& look,
                              bool skin) {
  static const mt::BlurWeights weights = gaussian(5);
  const mt::WidePlanes blurred = wide(blurred_, from);
  launch_on_parts(executor, mt::BlurRows{{}, weights, from, 3, blurred});
  launch_on_parts(executor, mt::Frequency{{},
                                          executor.tables(),
                                          frequency_gains(local_strength(look)),
                                          weights,
                                          from,
                                          blurred,
                                          enhanced_.planes(),
                                          skin ? may_be_skin_.data() : nullptr});
  return enhanced_.planes();
}

mt::Planes Finishing::grade(mt::Executor& executor, const mt::Planes& from, const Look& look,
                            bool skin) {
  static const mt::BlurWeights weights = gaussian(4);
  if (skin)
    launch_on_parts(
        executor,
        mt::BlurRows{{}, weights, one_plane(may_be_skin_), 1, wide(skin_rows_, lab_.planes())});
  const int strips = (height_ + mt::ChromaCounts::kRows - 1) / mt::ChromaCounts::kRows;
  executor.launch(mt::ChromaCounts{executor.tables(), from, step_, chroma_counts_.data()}, strips);
  executor.launch(mt::ChromaPercentile{chroma_counts_.data(), strips, chroma_.data(),
                                       static_cast<float>(newest_)},
                  1);
  mt::Grade grade{};
  grade.tables = executor.tables();
  grade.look = {static_cast<float>(look.vibrance), static_cast<float>(look.cool()),
                static_cast<float>(look.warm()), static_cast<float>(look.contrast_boost),
                skin ? static_cast<float>(look.skin_protection) : 0.0f};
  grade.chroma = chroma_.data();
  grade.from = from;
  grade.to = graded_.planes();
  grade.weights = weights;
  grade.skin_rows = skin ? skin_rows_.data() : nullptr;
  grade.skin = skin_.data();
  launch_on_parts(executor, grade);
  measure(executor, look, skin);
  if (look.color_harmony <= 0) return graded_.planes();
  launch_on_parts(executor, mt::Harmony{{},
                                        executor.tables(),
                                        means_.data(),
                                        static_cast<float>(look.color_harmony),
                                        graded_.planes(),
                                        harmonised_.planes()});
  return harmonised_.planes();
}

/// The means of the graded picture, which harmony and the restoring of skin need.
void Finishing::measure(mt::Executor& executor, const Look& look, bool skin) {
  if (look.color_harmony <= 0 && look.skin_lum_protection <= 0) return;
  const int rows = mt::samples(height_, step_);
  executor.launch(mt::GradeSums{executor.tables(), graded_.planes(), skin ? skin_.data() : nullptr,
                                step_, sums_.data()},
                  rows);
  executor.launch(
      mt::MeanGrade{sums_.data(), rows, static_cast<int64_t>(mt::samples(width_, step_)) * rows,
                    means_.data(), static_cast<float>(newest_)},
      1);
}

mt::Planes Finishing::sharpen(mt::Executor& executor, const mt::Planes& from,
                              const mt::Planes& before, const Look& look) {
  if (look.sharpness <= 0 && look.skin_lum_protection <= 0) return from;
  launch_on_parts(executor, mt::Sharpen{{},
                                        executor.tables(),
                                        static_cast<float>(look.sharpness),
                                        from,
                                        sharpened_.planes(),
                                        static_cast<float>(look.skin_lum_protection),
                                        look.skin_lum_protection > 0 ? skin_.data() : nullptr,
                                        means_.data(),
                                        before});
  return sharpened_.planes();
}

}  // namespace mosaic
