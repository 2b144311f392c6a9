// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <string>

#include "executor/executor.h"
#include "mosaic/engine/engine.h"

namespace mosaic {

/// Where and how the pictures between the stages are stored.
struct IntermediateFiles {
  std::string folder;   ///< created if it does not exist
  int compression = 3;  ///< of the PNG files, 0..9
};

/// Writes the stages of the engine's last frame as PNG files in the folder:
///   frame-000012-source.png    the source
///   frame-000012-saliency.png  each cell's weight: 128 is the mean, 255 twice that and more
///   frame-000012-tiles.png     the tiles as drawn, before seams and finishing
///   frame-000012-finished.png  the finished picture, without overlay
/// A file appears under its name when it is complete, in place of whatever had that name (except a
/// folder); symbolic links are not followed.
/// Waits for the executor. Throws Error (kWrite), naming the file or folder and the cause;
/// std::bad_alloc; what the executor throws; mt::Cancelled, and then pictures are missing.
void write_intermediate(mt::Executor& executor, const Stages& stages, uint64_t frame,
                        const IntermediateFiles& files);

}  // namespace mosaic
