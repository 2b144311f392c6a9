// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <memory>

#include "executor/executor.h"
#include "kernels/views.h"

namespace mosaic {

/// A planar RGB picture in memory that kernels can read and write; rows are aligned to 64 bytes.
class Picture {
 public:
  Picture() = default;
  Picture(int width, int height, const std::shared_ptr<mt::Executor>& executor)
      : stride_((width + 63) / 64 * 64),
        width_(width),
        height_(height),
        memory_(executor, static_cast<size_t>(stride_) * height * 3) {}

  mt::Planes planes() {
    const size_t plane = static_cast<size_t>(stride_) * height_;
    uint8_t* first = memory_.data();
    return {.plane = {first, first + plane, first + 2 * plane},
            .stride = stride_,
            .width = width_,
            .height = height_};
  }

 private:
  int stride_ = 0, width_ = 0, height_ = 0;
  mt::DeviceBuffer<uint8_t> memory_;
};

}  // namespace mosaic
