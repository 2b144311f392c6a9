// SPDX-License-Identifier: LGPL-2.1-or-later
// The two kinds of groups made of host threads, as a parameter of tests.
#pragma once

#include "tests/kernels/threaded_block.h"
#include "tests/kernels/threaded_group.h"

namespace test {

enum class Way { kGroup, kBlock };

struct Workers {
  const char* name;
  Way way;
  int count;  ///< threads in a group

  template <class Kernel>
  void run(const Kernel& kernel, int groups) const {
    if (way == Way::kGroup)
      run_threaded(kernel, groups, count);
    else
      run_blocks_threaded(kernel, groups, count);
  }
};

}  // namespace test
