// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gtest/gtest.h>

#include "cpu/cpu_executor.h"
#include "executor/executor.h"

/// The last line of a test that compares the results of the kernels for x86-64-v2, v3 and v4.
/// Without v4, the test has compared a level with itself, and counts as skipped. Other
/// architectures have no levels.
#ifdef __x86_64__
#define SKIP_WITHOUT_ALL_SIMD_LEVELS()                                                             \
  if (mt::best_simd_level() != mt::SimdLevel::kV4)                                                 \
  GTEST_SKIP() << "not all SIMD levels were compared: this processor, build or environment lacks " \
                  "x86-64-v4"
#else
#define SKIP_WITHOUT_ALL_SIMD_LEVELS() static_cast<void>(0)
#endif
