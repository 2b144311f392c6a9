// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <span>
#include <vector>

#include "mosaic/windows/window_options.h"

namespace mosaic_program {

/// Where the windows of a take begin, for mosaic::WindowAxis::of_time(). A window has at most
/// `windows.frames` frames, and begins where one mosaic can fade into the next without a visible
/// change of speed: where the film moves less than just before and after. To reach such a place the
/// distance to the next window may be shortened by a quarter.
/// @return frames of the take, ascending from 0
/// @param changes  [frames of the take]: the mean change of luma from the frame before, in levels
///                 of 8 bits; that of the first frame, a cut, is not used
/// @param windows  valid, as check_windows() says; `frames` above 0
std::vector<int> place_windows(std::span<const float> changes,
                               const mosaic::WindowOptions& windows);

}  // namespace mosaic_program
