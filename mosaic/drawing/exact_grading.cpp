// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/drawing/exact_grading.h"

#include "kernels/finishing/frequency.h"
#include "kernels/finishing/grade.h"
#include "kernels/finishing/sharpen.h"
#include "kernels/finishing/skin.h"
#include "mosaic/drawing/grading.h"

namespace mosaic {
namespace {

mt::WidePlanes wide(mt::DeviceBuffer<uint16_t>& memory, const mt::Planes& like) {
  const size_t plane = static_cast<size_t>(like.stride) * like.height;
  uint16_t* first = memory.data();
  if (memory.size() < 3 * plane) return {{first, nullptr, nullptr}, like.stride};
  return {{first, first + plane, first + 2 * plane}, like.stride};
}

}  // namespace

ExactGrading::ExactGrading(int width, int height, const std::shared_ptr<mt::Executor>& executor)
    : executor_(executor),
      enhanced_(width, height, executor),
      graded_(width, height, executor),
      harmonised_(width, height, executor),
      sharpened_(width, height, executor),
      chroma_(height, executor),
      blurred_(executor, static_cast<size_t>(enhanced_.planes().stride) * height * 3),
      skin_rows_(executor, blurred_.size() / 3),
      skin_(executor, blurred_.size() / 3),
      may_be_skin_(executor, blurred_.size() / 3),
      sums_(executor, static_cast<size_t>(height) * mt::GradeSums::kSums),
      means_(executor, 1) {}

mt::Planes ExactGrading::apply(const mt::Planes& from, const Look& look, double newest,
                               const ExactGrading* measured, const PartLaunch& parts) {
  mt::Planes detailed = from;
  if (look.local_contrast_clip > 0) {
    amplify_detail(from, look, parts);
    detailed = enhanced_.planes();
  } else if (protects_skin(look)) {
    mark_skin(from, parts);
  }
  const mt::GradeMeans* means = (measured ? *measured : *this).means_.data();
  return sharpen(grade(detailed, look, newest, measured, parts), detailed, look, means, parts);
}

void ExactGrading::mark_skin(const mt::Planes& from, const PartLaunch& parts) {
  parts.launch(
      *executor_,
      mt::MarkSkin{
          .rows = {}, .tables = executor_->tables(), .from = from, .skin = may_be_skin_.data()});
}

void ExactGrading::amplify_detail(const mt::Planes& from, const Look& look,
                                  const PartLaunch& parts) {
  static const mt::BlurWeights weights = gaussian(5);
  const mt::WidePlanes blurred = wide(blurred_, from);
  parts.launch(
      *executor_,
      mt::BlurRows{.rows = {}, .weights = weights, .from = from, .planes = 3, .to = blurred});
  parts.launch(*executor_,
               mt::Frequency{.rows = {},
                             .tables = executor_->tables(),
                             .gains = frequency_gains(look),
                             .weights = weights,
                             .from = from,
                             .blurred = blurred,
                             .to = enhanced_.planes(),
                             .skin = protects_skin(look) ? may_be_skin_.data() : nullptr});
}

mt::Planes ExactGrading::grade(const mt::Planes& from, const Look& look, double newest,
                               const ExactGrading* measured, const PartLaunch& parts) {
  static const mt::BlurWeights weights = gaussian(kSkinSigma);
  const bool skin = protects_skin(look);
  const mt::Planes marks = {.plane = {may_be_skin_.data(), nullptr, nullptr},
                            .stride = from.stride,
                            .width = from.width,
                            .height = from.height};
  if (skin)
    parts.launch(*executor_, mt::BlurRows{.rows = {},
                                          .weights = weights,
                                          .from = marks,
                                          .planes = 1,
                                          .to = wide(skin_rows_, from)});
  if (!measured) chroma_.launch(from, 1, newest);
  const ExactGrading& statistics = measured ? *measured : *this;
  mt::Grade grade{};
  grade.tables = executor_->tables();
  grade.look = grade_look(look);
  grade.chroma = statistics.chroma_.chroma();
  grade.from = from;
  grade.to = graded_.planes();
  grade.weights = weights;
  grade.skin_rows = skin ? skin_rows_.data() : nullptr;
  grade.skin = skin_.data();
  parts.launch(*executor_, grade);
  if (!measured) measure(look, newest);
  if (look.color_harmony <= 0) return graded_.planes();
  parts.launch(*executor_, mt::Harmony{.rows = {},
                                       .tables = executor_->tables(),
                                       .means = statistics.means_.data(),
                                       .strength = static_cast<float>(look.color_harmony),
                                       .from = graded_.planes(),
                                       .to = harmonised_.planes()});
  return harmonised_.planes();
}

/// The means of the graded picture, which harmony and the restoring of skin need.
void ExactGrading::measure(const Look& look, double newest) {
  if (look.color_harmony <= 0 && look.skin_lum_protection <= 0) return;
  const mt::Planes graded = graded_.planes();
  executor_->launch(mt::GradeSums{.tables = executor_->tables(),
                                  .from = graded,
                                  .skin = protects_skin(look) ? skin_.data() : nullptr,
                                  .sums = sums_.data()},
                    graded.height);
  executor_->launch(mt::MeanGrade{.sums = sums_.data(),
                                  .rows = graded.height,
                                  .pixels = static_cast<int64_t>(graded.width) * graded.height,
                                  .means = means_.data(),
                                  .newest = static_cast<float>(newest)},
                    1);
}

mt::Planes ExactGrading::sharpen(const mt::Planes& from, const mt::Planes& before, const Look& look,
                                 const mt::GradeMeans* means, const PartLaunch& parts) {
  if (look.sharpness <= 0 && look.skin_lum_protection <= 0) return from;
  parts.launch(*executor_,
               mt::Sharpen{.rows = {},
                           .tables = executor_->tables(),
                           .mask = {static_cast<float>(look.sharpness), from, sharpened_.planes()},
                           .skin_lightness = static_cast<float>(look.skin_lum_protection),
                           .skin = look.skin_lum_protection > 0 ? skin_.data() : nullptr,
                           .means = means,
                           .before = before});
  return sharpened_.planes();
}

}  // namespace mosaic
