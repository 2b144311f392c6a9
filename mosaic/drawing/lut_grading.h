// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "executor/executor.h"
#include "kernels/finishing/lut.h"
#include "mosaic/base/picture.h"
#include "mosaic/drawing/chroma_measure.h"
#include "mosaic/drawing/part_launch.h"
#include "mosaic/settings/look.h"

namespace mosaic {

/// What ExactGrading does, by a lookup table of colours, which takes a fraction of the time. The
/// picture differs from the exact one by few levels (tests/mosaic/drawing/lut_grading_test.cpp):
/// the amplification of detail is part of the table, without its blur, and skin keeps its luma
/// instead of its lightness.
class LutGrading {
 public:
  LutGrading(int width, int height, const std::shared_ptr<mt::Executor>& executor);

  /// As ExactGrading::apply(). Statistics and table are kept while they hardly move, so parts may
  /// have been graded by slightly different tables.
  mt::Planes apply(const mt::Planes& from, const Look& look, double newest,
                   const LutGrading* measured, const PartLaunch& parts);

 private:
  void update_table(const mt::Planes& from, const Look& look, double newest);
  mt::Planes sharpen(const mt::Planes& before, const Look& look, const mt::GradeMeans* means,
                     const PartLaunch& parts);
  uint8_t* skin(const Look& look);

  std::shared_ptr<mt::Executor> executor_;
  Picture graded_, sharpened_;
  ChromaMeasure chroma_;
  mt::DeviceBuffer<uint16_t> lut_, skin_rows_;
  mt::DeviceBuffer<uint8_t> skin_;
  mt::DeviceBuffer<mt::LutState> state_;
  mt::DeviceBuffer<int64_t> sums_;
  mt::DeviceBuffer<mt::GradeMeans> means_;
  bool knows_skin_ = false;  ///< the table has its marks of skin
  Look look_;                ///< that the table is made for
};

}  // namespace mosaic
