// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

#include "program/options/options.h"
#include "program/progress.h"

namespace mosaic_program {

/// Gives a film that is complete what its input says of itself: titles, chapters, a cover. A signal
/// ends only this, and leaves the film as it was.
/// @param reproducible as of copy_description()
void describe_film(const Options& options, const std::string& film, bool reproducible,
                   Progress& progress);

}  // namespace mosaic_program
