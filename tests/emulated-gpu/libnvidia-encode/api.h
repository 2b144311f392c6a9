// SPDX-License-Identifier: LGPL-2.1-or-later
/// The encoder's interface, as NVIDIA's header declares it, and libx264's.
#pragma once

#include <cstdint>  // the headers use its types but do not include it
//
#include <ffnvcodec/nvEncodeAPI.h>
#include <x264.h>

#include <cstring>

namespace emulated_nvenc {

inline bool same(const GUID& a, const GUID& b) {
  return std::memcmp(&a, &b, sizeof(GUID)) == 0;
}

}  // namespace emulated_nvenc
