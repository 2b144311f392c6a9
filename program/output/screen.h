// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string>

#include "program/options/options.h"
#include "program/pipeline/pipeline_line.h"

namespace mosaic_program {

/// What shows a video.
struct Screen {
  std::string words;  ///< the elements, as for gst-launch-1.0
  bool is_window = true;
  std::optional<OutputSize> cover;  ///< what fills the window; empty: it fits any picture into it
};

/// Options::sink, or a window. Throws Failure if there is no screen or no such element, or
/// WrongUsage if it is no sink.
Screen choose_screen(const Options& options);

/// Ends a branch of video.
void link_screen(PipelineLine& line, const Screen& screen);

}  // namespace mosaic_program
