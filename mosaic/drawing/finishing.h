// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "cuda/executor.h"
#include "cuda/finishing/harmony.h"
#include "cuda/math/blur.h"
#include "mosaic/base/picture.h"
#include "mosaic/settings/look.h"

namespace mosaic {

/// mosaicraft's finishing of a drawn mosaic, in this order: tone curve, local contrast (CLAHE) and
/// fine detail (both only if the look has a clip limit), vibrance, saturation, contrast, harmony,
/// sharpness, restoring the lightness of skin.
class Finishing {
 public:
  Finishing(int width, int height, const std::shared_ptr<mt::Executor>& executor);

  /// Whether a look asks for any finishing.
  static bool wanted(const Look& look);

  /// @param from    the picture to finish, width x height
  /// @param newest  0..1: grading uses statistics of the whole picture, averaged over consecutive
  ///                calls; this is the weight of the newest picture. 1: no averaging
  /// @return the finished picture, valid until the next call
  mt::Planes apply(mt::Executor& executor, const mt::Planes& from, const Look& look,
                   double newest = 1);

 private:
  mt::Planes curve(mt::Executor& executor, const mt::Planes& from, bool skin);
  mt::Planes equalise(mt::Executor& executor, const mt::Planes& from, const Look& look);
  mt::Planes enhance(mt::Executor& executor, const mt::Planes& from, const Look& look, bool skin);
  mt::Planes grade(mt::Executor& executor, const mt::Planes& from, const Look& look, bool skin);
  mt::Planes sharpen(mt::Executor& executor, const mt::Planes& from, const mt::Planes& before,
                     const Look& look);
  mt::Planes one_plane(mt::DeviceBuffer<uint8_t>& plane);

  int width_, height_;
  Picture lab_, equalised_, enhanced_, graded_, harmonised_, sharpened_;
  mt::Buffer<int32_t> curve_;
  mt::DeviceBuffer<int32_t> tile_curves_, average_curves_, chroma_counts_;
  mt::DeviceBuffer<uint16_t> blurred_, skin_rows_, skin_;
  mt::DeviceBuffer<uint8_t> may_be_skin_;
  mt::DeviceBuffer<float> chroma_;
  mt::DeviceBuffer<int64_t> sums_;
  mt::DeviceBuffer<mt::GradeMeans> means_;
  Look look_;  ///< of the last call; curve_ is made for it
  double newest_ = 1;
};

}  // namespace mosaic
