// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "executor/executor.h"
#include "kernels/views.h"

namespace mosaic {

/// Launches the writing of a picture into a frame of the same size. @param in  whose alpha channel
/// `out` gets
void write_frame(mt::Executor& executor, const mt::Planes& from, const mt::FrameView& in,
                 const mt::FrameView& out);

/// Launches the copying of a frame to another of the same format and size, to the byte. They may be
/// the same frame.
void copy_samples(mt::Executor& executor, const mt::FrameView& in, const mt::FrameView& out);

/// Copies a frame to another of the same format, and scales its picture where sizes differ: what a
/// live pipeline shows while its pool loads. Returns when the copy is complete. Throws what the
/// executor throws.
void copy_frame(mt::Executor& executor, const mt::FrameView& in, const mt::FrameView& out);

}  // namespace mosaic
