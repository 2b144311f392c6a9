// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "cuda/executor.h"
#include "cuda/finishing/harmony.h"
#include "cuda/math/blur.h"
#include "cuda/math/part_rows.h"
#include "mosaic/base/picture.h"
#include "mosaic/settings/look.h"

namespace mosaic {

/// mosaicraft's finishing of a drawn mosaic, in this order: tone curve, local contrast (CLAHE) and
/// fine detail (both only if the look has a clip limit), vibrance, saturation, contrast, harmony,
/// sharpness, restoring the lightness of skin.
///
/// The pictures between the steps last from call to call, so that parts of the picture can be
/// finished anew: what filters and statistics need of the rest is there already, though it was made
/// with the statistics of earlier calls.
class Finishing {
 public:
  /// @param max_parts how many parts apply() may be given
  Finishing(int width, int height, int max_parts, const std::shared_ptr<mt::Executor>& executor);

  /// Whether a look asks for any finishing.
  static bool wanted(const Look& look);

  /// @param from    the picture to finish, width x height
  /// @param parts   where the result is computed, see below; empty: nowhere
  /// @param newest  0..1: grading uses statistics of the whole picture, averaged over consecutive
  ///                calls; this is the weight of the newest picture. 1: no averaging
  /// @return the finished picture, valid until the next call. Outside the parts it is as the last
  ///         call left it
  mt::Planes apply(mt::Executor& executor, const mt::Planes& from, const Look& look, double newest,
                   std::span<const mt::CellRect> parts);
  /// The same for the whole picture.
  mt::Planes apply(mt::Executor& executor, const mt::Planes& from, const Look& look,
                   double newest = 1);

 private:
  mt::Planes curve(mt::Executor& executor, const mt::Planes& from, bool skin);
  mt::Planes equalise(mt::Executor& executor, const mt::Planes& from, const Look& look);
  mt::Planes enhance(mt::Executor& executor, const mt::Planes& from, const Look& look, bool skin);
  mt::Planes grade(mt::Executor& executor, const mt::Planes& from, const Look& look, bool skin);
  mt::Planes sharpen(mt::Executor& executor, const mt::Planes& from, const mt::Planes& before,
                     const Look& look);
  void measure(mt::Executor& executor, const Look& look, bool skin);
  mt::Planes one_plane(mt::DeviceBuffer<uint8_t>& plane);
  template <class Kernel>
  void launch_on_parts(mt::Executor& executor, Kernel kernel) {
    kernel.rows = rows_;
    executor.launch(kernel, part_count_ * rows_.height);
  }

  int width_, height_;
  Picture lab_, equalised_, enhanced_, graded_, harmonised_, sharpened_;
  mt::Buffer<int32_t> curve_;
  mt::DeviceBuffer<int32_t> tile_curves_, average_curves_, chroma_counts_;
  mt::DeviceBuffer<uint16_t> blurred_, skin_rows_, skin_;
  mt::DeviceBuffer<uint8_t> may_be_skin_;
  mt::DeviceBuffer<float> chroma_;
  mt::DeviceBuffer<int64_t> sums_;
  mt::DeviceBuffer<mt::GradeMeans> means_;
  mt::Buffer<mt::CellRect> parts_;
  int part_count_ = 0;
  mt::PartRows rows_{};
  int step_ = 1;  ///< statistics look at every step-th pixel of every step-th row
  Look look_;     ///< of the last call; curve_ is made for it
  double newest_ = 1;
};

}  // namespace mosaic
