// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "mosaic/base/grid.h"
#include "mosaic/engine/engine.h"
#include "mosaic/pool/pool.h"

namespace mosaic {

/// About how much memory an engine takes, in bytes, without the pool: at least what its pictures,
/// cells and lists take. What the solver needs depends on the frames and is only guessed.
/// @param tiles    of the pool; 0: not known yet
/// @param settings of the frames
/// @param lookahead see Engine::set_lookahead
uint64_t frame_memory(const Grid& grid, int64_t tiles, const FrameSettings& settings,
                      int lookahead);

/// Throws Error (kSettings) if an engine and its pool would take more than memory_limit().
/// @param pool null: not known yet
void check_frame_memory(const Grid& grid, const Pool* pool, const FrameSettings& settings,
                        int lookahead);

}  // namespace mosaic
