// SPDX-License-Identifier: LGPL-2.1-or-later
/// What the emulated encoder can do.
#pragma once

#include <span>

#include "tests/emulated-gpu/libnvidia-encode/api.h"

namespace emulated_nvenc {

inline constexpr int kMaxBFrames = 4;
inline constexpr int kMinWidth = 145, kMinHeight = 49;  ///< in pixels, as on Turing
inline constexpr int kMaxSize = 4096;

std::span<const GUID> codecs();
std::span<const GUID> profiles();
std::span<const GUID> presets();
std::span<const NV_ENC_BUFFER_FORMAT> input_formats();

/// The value of a capability; 0 for those that are missing.
int capability(NV_ENC_CAPS which);

bool is_lossless_preset(const GUID& preset);
/// The configuration of a preset. All presets are the same, except that some are lossless.
NV_ENC_CONFIG preset_config(const GUID& preset, NV_ENC_TUNING_INFO tuning);

}  // namespace emulated_nvenc
