// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "executor/executor.h"
#include "kernels/math/part_rows.h"

namespace mosaic {

/// The parts of a picture that finishing processes.
struct PartLaunch {
  mt::PartRows rows{};
  int count = 0;

  /// Launches a kernel with a member `rows` for all rows of the parts.
  template <class Kernel>
  void launch(mt::Executor& executor, Kernel kernel) const {
    kernel.rows = rows;
    executor.launch(kernel, count * rows.height);
  }
};

}  // namespace mosaic
