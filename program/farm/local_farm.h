// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "program/options/options.h"

namespace mosaic_program {

/// Makes a mosaic of a film part by part, with Options::jobs processes on this machine. The job's
/// folder is beside the output, under a hidden name, and is removed when the film is complete;
/// until then the same call goes on where it was.
/// @return an exit status
/// Throws Failure or WrongUsage.
int make_in_parts(const Options& options);

}  // namespace mosaic_program
