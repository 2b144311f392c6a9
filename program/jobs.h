// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <functional>

#include "program/options/options.h"

namespace mosaic_program {

/// Makes a mosaic of each input, one after another. Of several inputs, or if the output is a
/// folder, each mosaic gets the name of its input in that folder. An input that fails does not keep
/// the others from being made; with Options::resume, what was made before is not made again.
/// @param make makes one, and returns an exit status; may throw Failure
/// @return the exit status of the first that was not made, or kDone
/// Throws WrongUsage if two mosaics would have the same name, and what `make` throws if there is
/// but one input.
int make_all(const Options& options, const std::function<int(const Options&)>& make);

}  // namespace mosaic_program
