// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mosaic/windows/window_options.h"
#include "program/farm/job/division.h"
#include "program/options/options.h"
#include "program/progress.h"

namespace mosaic_program {

/// What one pass through a film has found.
struct FilmPass {
  std::vector<FilmFrame> film;
  GstClockTime duration = 0;        ///< when the last frame ends, as FilmFrame::shown
  std::vector<std::string> losses;  ///< what is missing in the film, in sentences
  bool interrupted = false;
  std::string encoder;                                        ///< a factory's name
  std::vector<std::pair<std::string, std::string>> settings;  ///< as resolved_settings()
  mosaic::WindowOptions windows;
  int lookahead = 0;
};

/// Decodes a film once and finds when each frame is shown and where scenes begin. Only the first
/// frame is drawn and encoded: what is wrong with the settings shows now, and not on a hundred
/// machines, and the photos are prepared. Throws Failure if the film cannot be read, or if its
/// times go back; WrongUsage.
/// @param options as for a mosaic of the film, with a film as the output
FilmPass look_through(const Options& options, Progress& progress);

}  // namespace mosaic_program
