// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/analysis/motion.h"

#include <algorithm>

namespace mosaic {

Motion::Motion(const Grid& grid, const std::shared_ptr<mt::Executor>& executor)
    : grid_(grid),
      executor_(executor),
      found_(executor, grid.cells()),
      steps_(grid.columns, grid.rows),
      motion_{std::vector<mt::CellMotion>(grid.cells()), steps_.field()} {}

void Motion::read_back(Continuation continuation) {
  if (continuation != Continuation::kContinues || frames_ < 2) {
    motion_.motion.assign(motion_.motion.size(), {});
    steps_.clear();
  } else {
    std::copy_n(found_.host(), motion_.motion.size(), motion_.motion.begin());
    steps_.advance(motion_.motion);
  }
  motion_.field = steps_.field();
}

}  // namespace mosaic
