// SPDX-License-Identifier: LGPL-2.1-or-later
// Moving pictures in video formats, on the host and on a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "kernels/views.h"
#include "mosaic/base/picture.h"
#include "tests/kernels/layouts.h"

namespace gpu_check {

/// The layout of a frame in memory, without an address.
struct FrameLayout {
  /// @param alignment of rows, bytes; a row has at least one byte of padding
  FrameLayout(const char* format, int width, int height, int alignment = 4);

  mt::FrameView view(uint8_t* first) const {
    return test::view_of(layout, width, height, first, stride, plane_bytes);
  }

  const test::Layout& layout;
  int width, height, stride;
  size_t plane_bytes, bytes;
};

/// Waves that move behind a disc, the same on every machine. During some frames the picture stands
/// still; later there is a cut.
class MovingPicture {
 public:
  static constexpr int kFrames = 132;

  MovingPicture(const FrameLayout& layout, std::shared_ptr<mt::Executor> cpu);

  /// Frame i, 0..kFrames - 1. Valid until the next call.
  const std::vector<uint8_t>& frame(int i);

 private:
  void paint_rows(int frame, int begin, int end);

  FrameLayout layout_;
  std::shared_ptr<mt::Executor> cpu_;
  mosaic::Picture picture_;
  std::vector<uint8_t> bytes_;
};

}  // namespace gpu_check
