// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Vectors of the instruction set that a file is compiled for (Highway, chosen at compile time).
#pragma once

// The processor levels x86-64-v2 to v4 do not include the instructions for AES.
#define HWY_DISABLE_PCLMUL_AES
// On AArch64, Highway 1.0 takes it for granted that they are there if it could look at run time.
#define TOOLCHAIN_MISS_SYS_AUXV_H
// Vectors whose size is not known to the compiler cannot be members or elements of arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#define HWY_COMPILE_ONLY_STATIC
#include <hwy/highway.h>

namespace mt {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

}  // namespace
}  // namespace mt
