// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/lut_grading.h"

#include <cmath>

#include "kernels/finishing/sharpen_in_luma.h"
#include "mosaic/drawing/grading.h"

namespace mosaic {
namespace {

/// Statistics look at a part of the picture only: the chroma of every fourth, the means of every
/// eighth pixel in both directions.
constexpr int kChromaStep = 4, kMeansStep = 8;

size_t pixels(Picture& picture) {
  const mt::Planes planes = picture.planes();
  return static_cast<size_t>(planes.stride) * planes.height;
}

/// In place of the blur that the amplification of detail needs, the table raises the contrast a
/// little more, and the narrower unsharp mask is stronger by a multiple of the detail's gain. With
/// these numbers photos keep the contrast that they have with the blur, and the picture is nearest
/// to the exact one (docs/experiments.md).
constexpr double kLow = 0.8, kSharper = 2.2;

float sharpness(const Look& look) {
  const double gain = look.local_contrast_clip > 0 ? 0.05 * local_strength(look) : 0;
  return static_cast<float>(look.sharpness + kSharper * gain);
}

mt::LutLook lut_look(const Look& look) {
  return {frequency_gains(look, kLow), grade_look(look), static_cast<float>(look.color_harmony)};
}

}  // namespace

LutGrading::LutGrading(int width, int height, const std::shared_ptr<mt::Executor>& executor)
    : executor_(executor),
      graded_(width, height, executor),
      sharpened_(width, height, executor),
      chroma_(height, executor),
      lut_(executor, static_cast<size_t>(mt::kLutNodes) * mt::kLutValues),
      skin_rows_(executor, pixels(graded_)),
      skin_(executor, pixels(graded_)),
      state_(executor, 1),
      sums_(executor, static_cast<size_t>(mt::samples(height, kMeansStep)) * mt::GradeSums::kSums),
      means_(executor, 1) {}

mt::Planes LutGrading::apply(const mt::Planes& from, const Look& look, double newest,
                             const LutGrading* measured, const PartLaunch& parts) {
  if (!measured) update_table(from, look, newest);
  const LutGrading& statistics = measured ? *measured : *this;
  parts.launch(*executor_, mt::ApplyLut{.rows = {},
                                        .lut = statistics.lut_.data(),
                                        .from = from,
                                        .to = graded_.planes(),
                                        .skin = skin(look)});
  return sharpen(from, look, statistics.means_.data(), parts);
}

/// Where the marks of skin go; null: the look does not need them.
uint8_t* LutGrading::skin(const Look& look) {
  return look.skin_lum_protection > 0 ? skin_.data() : nullptr;
}

void LutGrading::update_table(const mt::Planes& from, const Look& look, double newest) {
  const mt::Tables* tables = executor_->tables();
  if (!knows_skin_) executor_->launch(mt::SkinLut{tables, lut_.data()}, mt::kLutSide);
  knows_skin_ = true;
  chroma_.launch(from, kChromaStep, newest);
  const int rows = mt::samples(from.height, kMeansStep);
  executor_->launch(mt::SampleGrade{.tables = tables,
                                    .look = lut_look(look),
                                    .chroma = chroma_.chroma(),
                                    .from = from,
                                    .step = kMeansStep,
                                    .sums = sums_.data()},
                    rows);
  executor_->launch(
      mt::MeanGrade{.sums = sums_.data(),
                    .rows = rows,
                    .pixels = static_cast<int64_t>(mt::samples(from.width, kMeansStep)) * rows,
                    .means = means_.data(),
                    .newest = static_cast<float>(newest)},
      1);
  executor_->launch(mt::PlanLut{.chroma = chroma_.chroma(),
                                .means = means_.data(),
                                .always = newest >= 1 || look != look_,
                                .state = state_.data()},
                    1);
  executor_->launch(
      mt::FillLut{
          .tables = tables, .look = lut_look(look), .state = state_.data(), .lut = lut_.data()},
      mt::kLutSide);
  look_ = look;
}

mt::Planes LutGrading::sharpen(const mt::Planes& before, const Look& look,
                               const mt::GradeMeans* means, const PartLaunch& parts) {
  static const mt::BlurWeights weights = gaussian(kSkinSigma);
  const mt::Planes graded = graded_.planes();
  if (skin(look)) {
    const mt::Planes marks = {.plane = {skin_.data(), nullptr, nullptr},
                              .stride = graded.stride,
                              .width = graded.width,
                              .height = graded.height};
    parts.launch(*executor_,
                 mt::BlurRows{.rows = {},
                              .weights = weights,
                              .from = marks,
                              .planes = 1,
                              .to = {{skin_rows_.data(), nullptr, nullptr}, graded.stride}});
  }
  if (sharpness(look) <= 0 && !skin(look)) return graded;
  mt::SharpenInLuma kernel{};
  kernel.mask = {sharpness(look), graded, sharpened_.planes()};
  kernel.skin_luma =
      static_cast<int32_t>(std::lround(look.skin_lum_protection * mt::SharpenInLuma::kOne));
  kernel.weights = weights;
  kernel.skin_rows = skin(look) ? skin_rows_.data() : nullptr;
  kernel.means = means;
  kernel.gains = frequency_gains(look, kLow);
  kernel.before = before;
  parts.launch(*executor_, kernel);
  return sharpened_.planes();
}

}  // namespace mosaic
