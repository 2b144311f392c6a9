// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "executor/executor.h"
#include "kernels/views.h"
#include "mosaic/base/grid.h"
#include "mosaic/base/picture.h"

namespace mosaic {

/// The share of the mosaic in a mixture, as kernels take it: of mt::kWholeShare, rounded.
/// @param mix 0..1; what is not above 0 (NaN, too) counts as 0
int32_t mix_share(double mix);

/// Mixes finished pictures with the frames that they were made of. Neither is changed.
class Mixing {
 public:
  Mixing(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// Launches the mixing. @return the mixture, valid until the next call
  /// @param source in_width x in_height; scaled if the mosaic has another size
  /// @param mosaic out_width x out_height
  /// @param share  of the mosaic, 0..mt::kWholeShare
  mt::Planes mix(const mt::Planes& source, const mt::Planes& mosaic, int32_t share);

  /// Launches the reading of a frame that is not analysed, so that it can be mixed. @return its
  /// picture, valid until the next call
  mt::Planes unpack(const mt::FrameView& in);

 private:
  Grid grid_;
  std::shared_ptr<mt::Executor> executor_;
  Picture mixed_;
  Picture scaled_;    ///< the source at the size of the mosaic; empty if it has that size
  Picture unpacked_;  ///< made when first needed
};

}  // namespace mosaic
