// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "executor/executor.h"
#include "mosaic/base/grid.h"
#include "mosaic/base/picture.h"

namespace mosaic {

/// Softens the borders between the cells of a drawn mosaic (see kernels/drawing/pyramid_blend.h).
class SeamBlending {
 public:
  SeamBlending(const Grid& grid, const std::shared_ptr<mt::Executor>& executor);

  /// Launches the softening of a picture. @param from out_width x out_height
  /// @param levels of the pyramid, 1 or more; more than 2 have the effect of 2
  /// @return valid until the next call
  mt::Planes apply(const mt::Planes& from, int levels);

 private:
  std::shared_ptr<mt::Executor> executor_;
  int width_, height_, half_width_, half_height_, quarter_width_, quarter_height_;
  Picture result_;
  mt::DeviceBuffer<uint16_t> half_, mask_, half_mask_;
  mt::DeviceBuffer<int32_t> quarter_, coarse_;
};

}  // namespace mosaic
