// SPDX-License-Identifier: LGPL-2.1-or-later
/// @file
/// Vectors of the instruction set that a file is compiled for (Highway, chosen at compile time).
#pragma once

// The processor levels x86-64-v2 to v4 do not include the instructions for AES.
#define HWY_DISABLE_PCLMUL_AES
#define HWY_COMPILE_ONLY_STATIC
#include <hwy/highway.h>

namespace mt {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

}  // namespace
}  // namespace mt
