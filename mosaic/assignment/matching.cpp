// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mosaic/assignment/matching.h"

namespace mosaic::solver {

void Matching::reset(int rows, int columns, int capacity) {
  capacity_ = capacity;
  column_.assign(rows, kNone);
  cost_.resize(rows);
  used_.assign(columns, 0);
  first_row_.assign(columns, kNone);
  next_row_.resize(rows);
  previous_row_.resize(rows);
}

}  // namespace mosaic::solver
