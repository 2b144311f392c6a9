// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "executor/executor.h"
#include "kernels/finishing/harmony.h"
#include "kernels/math/blur.h"
#include "mosaic/base/picture.h"
#include "mosaic/drawing/chroma_measure.h"
#include "mosaic/drawing/part_launch.h"
#include "mosaic/settings/look.h"

namespace mosaic {

/// The steps of finishing that follow local contrast, to the last bit as mosaicraft's: fine detail
/// (if the look has local contrast), vibrance, saturation, contrast, harmony, sharpness, restoring
/// the lightness of skin.
class ExactGrading {
 public:
  ExactGrading(int width, int height, const std::shared_ptr<mt::Executor>& executor);

  /// @param from    width x height
  /// @param newest  see Finishing::apply()
  /// @param measured whose statistics are used; null: those of `from`, which is the whole picture
  /// @return valid until the next call; outside the parts it is as the last call left it
  mt::Planes apply(const mt::Planes& from, const Look& look, double newest,
                   const ExactGrading* measured, const PartLaunch& parts);

 private:
  void mark_skin(const mt::Planes& from, const PartLaunch& parts);
  void amplify_detail(const mt::Planes& from, const Look& look, const PartLaunch& parts);
  mt::Planes grade(const mt::Planes& from, const Look& look, double newest,
                   const ExactGrading* measured, const PartLaunch& parts);
  mt::Planes sharpen(const mt::Planes& from, const mt::Planes& before, const Look& look,
                     const mt::GradeMeans* means, const PartLaunch& parts);
  void measure(const Look& look, double newest);

  std::shared_ptr<mt::Executor> executor_;
  Picture enhanced_, graded_, harmonised_, sharpened_;
  ChromaMeasure chroma_;
  mt::DeviceBuffer<uint16_t> blurred_, skin_rows_, skin_;
  mt::DeviceBuffer<uint8_t> may_be_skin_;
  mt::DeviceBuffer<int64_t> sums_;
  mt::DeviceBuffer<mt::GradeMeans> means_;
};

}  // namespace mosaic
