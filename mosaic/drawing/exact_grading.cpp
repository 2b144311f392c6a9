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
    : enhanced_(width, height, executor),
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

mt::Planes ExactGrading::apply(mt::Executor& executor, const mt::Planes& from, const Look& look,
                               double newest, const PartLaunch& parts) {
  mt::Planes detailed = from;
  if (look.local_contrast_clip > 0) {
    amplify_detail(executor, from, look, parts);
    detailed = enhanced_.planes();
  } else if (protects_skin(look)) {
    mark_skin(executor, from, parts);
  }
  return sharpen(executor, grade(executor, detailed, look, newest, parts), detailed, look, parts);
}

void ExactGrading::mark_skin(mt::Executor& executor, const mt::Planes& from,
                             const PartLaunch& parts) {
  parts.launch(executor, mt::MarkSkin{{}, executor.tables(), from, may_be_skin_.data()});
}

void ExactGrading::amplify_detail(mt::Executor& executor, const mt::Planes& from, const Look& look,
                                  const PartLaunch& parts) {
  static const mt::BlurWeights weights = gaussian(5);
  const mt::WidePlanes blurred = wide(blurred_, from);
  parts.launch(executor, mt::BlurRows{{}, weights, from, 3, blurred});
  parts.launch(executor, mt::Frequency{{},
                                       executor.tables(),
                                       frequency_gains(look),
                                       weights,
                                       from,
                                       blurred,
                                       enhanced_.planes(),
                                       protects_skin(look) ? may_be_skin_.data() : nullptr});
}

mt::Planes ExactGrading::grade(mt::Executor& executor, const mt::Planes& from, const Look& look,
                               double newest, const PartLaunch& parts) {
  static const mt::BlurWeights weights = gaussian(kSkinSigma);
  const bool skin = protects_skin(look);
  const mt::Planes marks = {
      {may_be_skin_.data(), nullptr, nullptr}, from.stride, from.width, from.height};
  if (skin) parts.launch(executor, mt::BlurRows{{}, weights, marks, 1, wide(skin_rows_, from)});
  chroma_.launch(executor, from, 1, newest);
  mt::Grade grade{};
  grade.tables = executor.tables();
  grade.look = grade_look(look);
  grade.chroma = chroma_.chroma();
  grade.from = from;
  grade.to = graded_.planes();
  grade.weights = weights;
  grade.skin_rows = skin ? skin_rows_.data() : nullptr;
  grade.skin = skin_.data();
  parts.launch(executor, grade);
  measure(executor, look, newest);
  if (look.color_harmony <= 0) return graded_.planes();
  parts.launch(executor, mt::Harmony{{},
                                     executor.tables(),
                                     means_.data(),
                                     static_cast<float>(look.color_harmony),
                                     graded_.planes(),
                                     harmonised_.planes()});
  return harmonised_.planes();
}

/// The means of the graded picture, which harmony and the restoring of skin need.
void ExactGrading::measure(mt::Executor& executor, const Look& look, double newest) {
  if (look.color_harmony <= 0 && look.skin_lum_protection <= 0) return;
  const mt::Planes graded = graded_.planes();
  executor.launch(mt::GradeSums{executor.tables(), graded,
                                protects_skin(look) ? skin_.data() : nullptr, sums_.data()},
                  graded.height);
  executor.launch(
      mt::MeanGrade{sums_.data(), graded.height, static_cast<int64_t>(graded.width) * graded.height,
                    means_.data(), static_cast<float>(newest)},
      1);
}

mt::Planes ExactGrading::sharpen(mt::Executor& executor, const mt::Planes& from,
                                 const mt::Planes& before, const Look& look,
                                 const PartLaunch& parts) {
  if (look.sharpness <= 0 && look.skin_lum_protection <= 0) return from;
  parts.launch(executor,
               mt::Sharpen{{},
                           executor.tables(),
                           {static_cast<float>(look.sharpness), from, sharpened_.planes()},
                           static_cast<float>(look.skin_lum_protection),
                           look.skin_lum_protection > 0 ? skin_.data() : nullptr,
                           means_.data(),
                           before});
  return sharpened_.planes();
}

}  // namespace mosaic
