// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "executor/executor.h"
#include "mosaic/base/picture.h"
#include "mosaic/drawing/exact_grading.h"
#include "mosaic/drawing/lut_grading.h"
#include "mosaic/drawing/part_launch.h"
#include "mosaic/settings/look.h"

namespace mosaic {

/// mosaicraft's finishing of a drawn mosaic, in this order: tone curve, local contrast (CLAHE) and
/// fine detail (both only if the look has a clip limit), vibrance, saturation, contrast, harmony,
/// sharpness, restoring the lightness of skin. With fidelity, which is no field of mosaicraft's,
/// the steps after local contrast are done by a lookup table (LutGrading), otherwise to the last
/// bit as there (ExactGrading).
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
  mt::Planes apply(const mt::Planes& from, const Look& look, double newest,
                   std::span<const mt::CellRect> parts);
  /// The same for the whole picture.
  mt::Planes apply(const mt::Planes& from, const Look& look, double newest = 1);

  /// A part of a picture that is too large to be finished as a whole.
  struct Part {
    /// Has finished the whole picture, made smaller, with the same look; with the same executor.
    const Finishing& whole;
    mt::PixelSize size;  ///< of the whole picture, as large as the part shows it
    int left, top;       ///< where the part begins in it
  };
  /// The same with the statistics of a whole picture.
  mt::Planes apply(const mt::Planes& from, const Look& look, const Part& of,
                   std::span<const mt::CellRect> parts);

 private:
  mt::Planes apply(const mt::Planes& from, const Look& look, double newest, const Part* of,
                   std::span<const mt::CellRect> parts);
  mt::Planes curve(const mt::Planes& from);
  mt::Planes equalise(const mt::Planes& from, const Look& look, double newest, const Part* of);

  int width_, height_;
  std::shared_ptr<mt::Executor> executor_;
  Picture lab_, equalised_;
  mt::Buffer<int32_t> curve_;
  mt::DeviceBuffer<int32_t> tile_curves_, average_curves_;
  mt::Buffer<mt::CellRect> part_list_;
  PartLaunch parts_;
  std::optional<ExactGrading> exact_;  ///< made when first needed
  std::optional<LutGrading> quick_;
  Look look_;  ///< of the last call; curve_ is made for it
};

}  // namespace mosaic
